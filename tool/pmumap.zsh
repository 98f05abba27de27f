#compdef pmumap
# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for zsh. The tool says what to offer.

_pmumap() {
	local line
	local -a list

	for line in "${(@f)$("$words[1]" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		if [[ $line = $'\tfiles' ]]; then
			_files
		elif [[ -n $line ]]; then
			list+=("${line/$'\t'/:}")
		fi
	done
	_describe pmumap list
}

_pmumap "$@"
