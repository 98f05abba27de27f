# SPDX-License-Identifier: BSD-2-Clause
#
# What checks the files that the tool writes: maps for ROM, and pictures.

.PHONY: check-rom check-picture
check-rom: $(B)/pmumap $(dtbs) ## maps in ROM answer as built ones, on each target that is here
	@tests/rom.sh

check-picture: $(B)/pmumap $(dtbs) ## pictures are well-formed, and have the cells of their maps
	@tests/picture.sh

checks += check-rom check-picture
