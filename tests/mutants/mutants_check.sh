#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Tests the mutation tool: in a small header it reports exactly the untested code.
. tests/check/lib.sh

for tool in gcc python3 objdump gcov; do
	command -v $tool >/dev/null && continue
	echo "SKIP mutants ($tool not found)"
	finish
done

mutants() {
	python3 tests/mutants/mutants.py --dir "$dir" --reasons "$dir" \
		--header tests/mutants/planted.h "$@"
}

# library NAME FLAGS...
library() {
	mkdir -p "$dir/$1"
	(
		root=$PWD
		cd "$dir/$1" || exit
		shift
		gcc -fPIC -shared "$@" -I"$root" "$root/$dir/unit.c" -o libpmumap.so
	)
}

works "unit" mutants unit
works "the library" library lib -O0 -g
works "it, for source mutants" library fast -O2
works "its coverage" library cov -O0 --coverage
works "it under a sanitizer" library san -O0 -g -fsanitize=address \
	--param asan-instrumentation-with-call-threshold=0 --param asan-stack=0
works "its test" gcc tests/mutants/planted.c -L"$dir/lib" -lpmumap -o "$dir/test"

echo "$dir/test fails" >"$dir/commands"
refused "a test that fails without a mutant" "without a mutant, fails: $dir/test fails" \
	mutants measure
echo "$dir/test" >"$dir/commands"
works "measure" mutants measure

good='planted_(sign|bits|elsewhere|find|ends)'
works "what is checked" mutants --only "$good" --least 100 source asm
cp "$dir/out" "$dir/checked"
works "source mutants" grep -qE '^source: .* [1-9][0-9] killed, 0 equivalent, 0 acceptable, 0 survived' "$dir/checked"
works "asm mutants" grep -qE '^asm: .* [1-9][0-9]* killed, 0 equivalent, 0 acceptable, 0 survived' "$dir/checked"
for kind in source asm; do
	works "$kind: what only a sanitizer sees" grep -q ' under ASan$' "$dir/results-$kind"
done
refused "what nobody checks" '^planted_unseen$' mutants --only planted_unseen source
refused "the same in assembly" '^planted_unseen$' mutants --only planted_unseen asm
refused "no mutant at all" '0 mutants' mutants --only nothing asm
nothing "mutants that are no code, or not compiled here" \
	"$(mutants --only '.*' source | grep -E 'elsewhere|comment|"1|line 0')"

# A reason must name one mutant that survives, and appear in one list only.
reason() {
	printf '%s\n\twhatever\n\t\t%s\n' "$2" "$3" >>"$dir/source-$1.txt"
}

for list in equivalent acceptable; do
	reason $list planted_busy 'i < 5 => i < 6'
	works "a mutant with a reason" mutants --only 'planted_(sign|busy)' --least 0 source
	cp "$dir/out" "$dir/checked"
	works "is counted" grep -q " 1 $list" "$dir/checked"
	mv "$dir/source-$list.txt" "$dir/$list"
	reason $list planted_sign 'a < 0 => a >= 0'
	refused "a reason of one that is killed" "$list, but .* sees it" mutants --least 0 source
	rm "$dir/source-$list.txt"
	reason $list planted_sign 'a < 7 => a >= 0'
	refused "a reason of none" 'there is no such mutant' mutants --least 0 source
	rm "$dir/source-$list.txt"
done
cp "$dir/equivalent" "$dir/source-equivalent.txt"
cp "$dir/acceptable" "$dir/source-acceptable.txt"
refused "a mutant in both lists" 'in both lists' mutants --least 0 source
rm "$dir/source-acceptable.txt"
reason equivalent planted_busy 'i < 5 => i < 4'
refused "a function that stands there twice" 'repeated .*: planted_busy' mutants --least 0 source
printf '\t\ta < 0 => a >= 0\n' >"$dir/source-equivalent.txt"
refused "a mutant of no function" 'out of place: a < 0' mutants --least 0 source
rm "$dir/source-equivalent.txt"

# names SED: after this edit of tests/mutants/names/names.h, each mutant of names/*.txt is found
names() {
	rm -rf "$dir/names"
	mkdir -p "$dir/names/lib"
	sed "$1" tests/mutants/names/names.h >"$dir/names.h"
	set -- python3 tests/mutants/mutants.py --dir "$dir/names" --header "$dir/names.h" \
		--reasons tests/mutants/names
	"$@" unit &&
		gcc -fPIC -shared -O0 -g -I. "$dir/names/unit.c" -o "$dir/names/lib/libpmumap.so" &&
		"$@" reasons
}

works "names" names ''
works "names after changes around them" names '
	s/\<p\>/planted/g
	s/(int)/(short)/
	s/ \(||\|&&\|[?:<>+-]\) /\n\t\t\t\1 /g
	s/, 6/,\n\t6/
	/unsigned i;/a\
	sum += least;'
refused "another operand" 'there is no such mutant' names 's/sum < 9/sum < least/'
refused "another function" 'there is no such mutant' names 's/planted_names/planted_other/'
refused "two mutants of one name" 'its name fits line .*, line ' names '/return sum/s/sum;/(sum < 9);/'
refused "one of two is gone" 'its name fits line' names '/^\t\tsum = 0;/s/0/least/'

touch "$dir/test" && printf x >>"$dir/test"
refused "a test that has changed since" 'measure them again' mutants source
finish
