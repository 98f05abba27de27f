# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for bash. The tool says what to offer.

_pmumap() {
	local cur=${COMP_WORDS[COMP_CWORD]} line files=

	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		$'\t'files) files=1 ;;
		?*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done <<<"$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
	[ "$files" ] || return 0
	compopt -o filenames 2>/dev/null
	while IFS= read -r line; do
		case $line in
		*.dts | *.dtso | *.dtb | *.dtbo | *.json | *.txt | *.map | *.bin | fdt) COMPREPLY+=("$line") ;;
		*) [ -d "$line" ] && COMPREPLY+=("$line") ;;
		esac
	done <<<"$(compgen -f -- "$cur")" # no /dev/fd is asked for
}

complete -F _pmumap pmumap
