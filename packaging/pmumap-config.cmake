# SPDX-License-Identifier: BSD-2-Clause
#
# The target pmumap::pmumap: a folder of headers.
get_filename_component(PACKAGE_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET pmumap::pmumap)
	add_library(pmumap::pmumap INTERFACE IMPORTED)
	set_target_properties(pmumap::pmumap PROPERTIES
		INTERFACE_INCLUDE_DIRECTORIES "${PACKAGE_PREFIX_DIR}/include")
endif()
