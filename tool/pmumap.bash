# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for bash: verbs, the options of each verb, codes, event names, files. Verbs, options and
# codes come from the tool itself.

_pmumap_words() {
	COMPREPLY+=($(compgen -W "$1" -- "$cur"))
}

_pmumap_files() {
	local file

	compopt -o filenames 2>/dev/null
	while IFS= read -r file; do
		case $file in
		*.dts | *.dtso | *.dtb | *.dtbo | *.json | *.txt | *.map | *.bin | fdt) COMPREPLY+=("$file") ;;
		*) [ -d "$file" ] && COMPREPLY+=("$file") ;;
		esac
	done <<<"$(compgen -f -- "$cur")" # no /dev/fd is asked for
}

_pmumap() {
	local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} word verb=
	local tool=${COMP_WORDS[0]} verbs
	local events="cycles instructions cache-references cache-misses branches branch-misses
		L1-dcache-loads L1-dcache-load-misses L1-dcache-stores L1-icache-load-misses
		LLC-loads LLC-load-misses dTLB-load-misses dTLB-store-misses iTLB-load-misses"

	COMPREPLY=()
	verbs=$("$tool" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $'\n'$verbs$'\n' in
		*$'\n'"$word"$'\n'*)
			verb=$word
			break
			;;
		esac
	done
	case $before in
	--explain | --ignore)
		_pmumap_words "$("$tool" check --explain all 2>/dev/null | grep '^[a-z]')"
		[ "$before" = --ignore ] && _pmumap_files || _pmumap_words all
		return
		;;
	--firmware)
		_pmumap_words "opensbi $(echo opensbi-1.{1..9}) rustsbi pmumap delegated"
		return
		;;
	--linux)
		_pmumap_words "5.18 6.1 6.6 6.12 6.18 7.2 none"
		return
		;;
	--features)
		_pmumap_words "sscofpmf smcntrpmf can-filter can-interrupt filter sscofpmf,smcntrpmf"
		return
		;;
	--events)
		_pmumap_files
		return
		;;
	-o | --output)
		_pmumap_files
		return
		;;
	--free | --counters | --node | --hart | --available | --pvr | --unit | --name | --order)
		return
		;;
	esac
	if [ -z "$verb" ]; then
		_pmumap_words "$verbs --help --version"
	elif [ "$verb" = help ]; then
		_pmumap_words "$verbs"
	elif [[ $cur == -* ]]; then
		_pmumap_words "$("$tool" "$verb" --help 2>/dev/null | grep -o '^  --[a-z-]*')"
	else
		_pmumap_files
		case $verb in
		lookup | assign | perf) _pmumap_words "$events" ;;
		esac
	fi
}

complete -F _pmumap pmumap
