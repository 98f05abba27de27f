#compdef pmumap
# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for zsh: verbs, the options of each verb, codes, event names, files. Verbs, options and
# codes come from the tool itself.

# _pmumap_described TAG LINE...: each "word", blanks, and what it means
_pmumap_described() {
	local tag=$1 line
	local -a list
	shift
	for line; do
		list+=("${${line%% *}}:${line##*  }")
	done
	_describe -t "$tag" "$tag" list
}

_pmumap_lines() {
	print -r -- "$("$words[1]" "$@" 2>/dev/null | sed -nE 's/^  ((--)?[a-z][a-z-]*)( .*)?$/\1\3/p')"
}

_pmumap() {
	local verb word before="$words[CURRENT-1]"
	local -a verbs options events
	verbs=("${(@f)$(_pmumap_lines --help)}")
	verbs=("${(@)verbs:#--*}")
	events=(cycles instructions cache-references cache-misses branches branch-misses
		L1-dcache-loads L1-dcache-load-misses L1-dcache-stores L1-icache-load-misses
		LLC-loads LLC-load-misses dTLB-load-misses dTLB-store-misses iTLB-load-misses)
	for word in "${(@)words[2,CURRENT-1]}"; do
		[[ -n ${verbs[(r)$word *]} ]] && verb=$word && break
	done
	case $before in
	--explain | --ignore)
		compadd -- ${(f)"$("$words[1]" check --explain all 2>/dev/null | grep '^[a-z]')"}
		if [[ $before = --ignore ]]; then _files; else compadd -- all; fi
		return
		;;
	--firmware)
		compadd -- opensbi opensbi-1.{1..9} rustsbi pmumap delegated
		return
		;;
	--linux)
		compadd -- 5.18 6.1 6.6 6.12 6.18 7.2 none
		return
		;;
	--features)
		compadd -- sscofpmf smcntrpmf can-filter can-interrupt filter
		return
		;;
	--free | --counters | --node | --hart | --available | --pvr | --unit | --name | --order) return ;;
	esac
	if [[ -z $verb ]]; then
		_pmumap_described verb "$verbs[@]"
		compadd -- --help --version
	elif [[ $verb = help ]]; then
		_pmumap_described verb "$verbs[@]"
	elif [[ $PREFIX = -* ]]; then
		options=("${(@f)$(_pmumap_lines $verb --help)}")
		_pmumap_described option "${(@M)options:#--*}"
	else
		_files
		[[ $verb = (lookup|assign|perf) ]] && compadd -- $events
	fi
}

_pmumap "$@"
