#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make check-picture
#
# The output of "pmumap picture" is well-formed, loads nothing, runs nothing, and has a cell for
# each entry that "pmumap show" and "pmumap check" print.
. tests/check/lib.sh

tool=${TOOL:-build}/pmumap
export LC_ALL=C

is() {
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1: $3, not $2"
	fi
}

# Well-formed: tags nest, "&" starts an entity, and only elements and attributes are used that
# cannot run or fetch anything.
cat >"$dir/wellformed.awk" <<'END'
BEGIN { RS = "<" }
# Each record is a tag and the text behind it; the first is what stands before all tags.
{
	text = $0
	if (NR > 1) {
		end = index(text, ">")
		tag = substr(text, 1, end - 1)
		text = substr(text, end + 1)
		see(tag)
	}
	gsub(/&(amp|lt|gt|quot|#39);/, "", text)
	if (text ~ /[&>]/ || (!depth && text ~ /[^ \n]/))
		exit bad("text: " text)
}
function see(tag,    name) {
	if (tag ~ /^\//) {
		if (!depth || stack[depth--] != substr(tag, 2))
			exit bad("end: " tag)
		return
	}
	if (tag !~ /^[a-z]+( (class|x|y|x1|y1|x2|y2|cx|cy|r|width|height|viewBox|xmlns)="[^"<&]*")*\/?$/)
		exit bad("tag: " tag)
	name = tag
	sub(/[ \/].*/, "", name)
	names[name] = 1
	if (!depth && ends++)
		exit bad("a second root")
	if (tag !~ /\/$/)
		stack[++depth] = name
}
END {
	if (failed)
		exit
	if (depth || !ends)
		exit bad("the end")
	for (name in names) {
		if (name !~ /^(svg|title|style|g|rect|circle|line|text)$/)
			exit bad("element: " name)
	}
}
function bad(what) {
	print what
	failed = 1
	return 1
}
END

# good FILE: the picture is safe to show
good() {
	is "$1 is well-formed" "" "$(awk -f "$dir/wellformed.awk" "$1" 2>&1)"
	if command -v xmllint >/dev/null; then
		works "$1 for xmllint" xmllint --noout --nonet "$1"
	fi
	nothing "$1: from outside" "$(sed '/<style>/,/<\/style>/!d' "$1" | grep -Ei 'url|@import|//')"
	grep -q 'prefers-color-scheme:dark' "$1" && pass || fail "$1: no dark colours"
}

# cells KIND FILE: number of boxes with this class
cells() {
	grep -Eo "<rect class=\"$1[ \"]" "$2" | wc -l
}

# Counts the bits set in hexadecimal numbers.
bits() {
	awk '{
		for (i = 1; i <= length($0); i++)
			sum += substr("0112122312232334", index("0123456789abcdef",
				substr($0, i, 1)), 1)
	}
	END { print sum + 0 }'
}

# values KEY: hexadecimal digits of this key in JSON lines
values() {
	sed -nE "s/.*\"$1\":\"0x([0-9a-f]+)\".*/\\1/p"
}

# Counters of raw rows as drawn, from show's JSON: sorted by select, with runs of three or more rows
# that share mask and counters folded into one.
folded() {
	sed -nE 's/^\{"kind":"raw","select":"0x([^"]*)","mask":"([^"]*)","counters":\[([^]]*)\].*/\1 \2 \3/p' | awk '{
		printf "%16s %s %s\n", $1, $2, $3 }' | sed 's/^ */&_/; :a; s/ _/_0/; ta; s/_//' | sort |
		awk '{ if ($2 " " $3 == last) n++; else { flush(); n = 1 } last = $2 " " $3; counters = $3 }
			END { flush() }
			function flush() { for (; n; n = n > 2 ? 0 : n - 1) print counters }'
}

# How many of cycles and instructions have only a fixed counter and no row.
lone() {
	$tool show "$1" | grep -q '^raw events\|^event x counter' || { echo 0; return; }
	for event in 1 2; do
		$tool show --json "$1" | grep -q "^{\"kind\":\"event\",\"event\":\"0x$event\"" || echo $event
	done | wc -l
}

# The grid of events and raw rows; CPUs; units.
compare() {
	name=$(basename "$1" .dtb) svg=$dir/$(basename "$1" .dtb).svg
	$tool picture "$1" >"$svg" 2>"$dir/error" || {
		fail "picture $1: $(cat "$dir/error")"
		return
	}
	good "$svg"
	$tool show --json "$1" >"$dir/json"
	$tool show "$1" | grep -E '^0x[0-9a-fx-]+  .*  [.#][.# ]*$' |
		sed -E 's/.*  ([.#][.# ]*)$/\1/' >"$dir/grid"
	folded <"$dir/json" >"$dir/raw"
	fixed=$(lone "$1")
	on=$(($(tr -cd '#' <"$dir/grid" | wc -c) + $(tr , '\n' <"$dir/raw" | grep -c .)))
	cpus=$(grep '"cpu"' "$dir/json" | values described | bits)
	is "$name: cells that count" $((on + cpus)) "$(cells on "$svg")"
	rows=$(($(wc -l <"$dir/grid") + $(wc -l <"$dir/raw") + fixed))
	[ $rows = $fixed ] || is "$name: rows for cycles and instructions alone" "$fixed" \
		"$(grep -c 'though no row says so' "$svg")"
	if [ $rows != 0 ] && [ "$cpus" = 0 ] && ! grep -q '"unit"' "$dir/json"; then
		off=$(cells off "$svg")
		is "$name: cells are a grid" 0 $(((on + off) % rows))
	fi
	$tool show --json --events "$1" | grep '"offset"' | grep '"prefix"\|"name"' >"$dir/events"
	names=$(sed -nE 's/.*"names":([0-9]+).*/\1/p' "$dir/json")
	trace=$($tool show --json "$1" | grep '"type":"trace"' |
		sed -nE 's/.*"event_count":([0-9]+).*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
	is "$name: counters in memory" $((${names:-0} - trace)) "$(cells dot "$svg")"
	for kind in clash alias; do
		is "$name: $kind" "$($tool check --json "$1" |
			sed -nE '/"offset-'$kind'"/s/.*"events":\[([^]]*)\].*/\1/p' | tr , '\n' | grep -c .)" \
			"$(cells "dot $kind" "$svg")"
	done
}
for tree in build/boards/*.dtb build/corpus-imc/*.dtb; do
	[ ! -f "$tree" ] || compare "$tree"
done

# ---- unusual maps

cat >"$dir/hostile.dts" <<'END'
/dts-v1/;
/ {
	imc-counters {
		compatible = "ibm,opal-in-memory-counters";
		#address-cells = <1>;
		#size-cells = <1>;
		version-id = <1>;
		list: events {
			#address-cells = <1>;
			#size-cells = <1>;
			event@0 {
				event-name = "</title><script>alert(1)</script>&amp;\"'";
				reg = <0 8>;
			};
			event@8 {
				event-name = "]]><!-- \x1b[31m \xff\xfe -->";
				reg = <8 8>;
			};
		};
		unit@fffffff0 {
			compatible = "ibm,imc-counters";
			type = <0x10>;
			events = <&list>;
			events-prefix = "<PM_\">";
			scale = "1'><g onload=\"alert(1)\"/>";
			unit = "<>";
			reg = <0xffffffe0 8>;
			size = <0>;
			offset = <0x180000>;
			base-addr = <0 0>;
			chip-id = <0>;
		};
		unit@0 {
			compatible = "ibm,imc-counters";
			type = <0x10>;
			events = <&list>;
			events-prefix = "";
			reg = <0 8>;
			size = <0>;
			offset = <0x180000>;
			base-addr = <0 0>;
			chip-id = <0>;
		};
	};
};
END
dtc -q -f -I dts -O dtb -o "$dir/hostile.dtb" "$dir/hostile.dts"
file="$dir/<b onload='x'>&\".dtb"
cp "$dir/hostile.dtb" "$file"
$tool picture -o "$dir/hostile.svg" "$file" || fail "picture of hostile names: status $?"
good "$dir/hostile.svg"
is "hostile counters" 4 "$(cells dot "$dir/hostile.svg")"
grep -q '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;&#39;' "$dir/hostile.svg" &&
	pass || fail "the name is not there"
grep -q '<title>PMU of &lt;b onload=&#39;x&#39;&gt;&amp;&quot;.dtb</title>' "$dir/hostile.svg" &&
	pass || fail "the file's name is not there"
is "bytes that are not ASCII" "" "$(tr -d '\n\t -~\342\200\246' <"$dir/hostile.svg")"

# The same name at the same offset in two units is an alias; another name there is a clash.
unit() {
	printf 'u%d { compatible = "ibm,imc-counters"; events-prefix = "%s"; reg = <%d 8>; type = <0x10>;' "$@"
	echo ' size = <0x1000>; offset = <0>; events = <&L>; };'
}
{
	echo '/dts-v1/; / { compatible = "ibm,opal-in-memory-counters"; L: list {'
	echo 'event@0 { event-name = "E"; reg = <0 8>; }; event@8 { event-name = "F"; reg = <8 8>; }; };'
	unit 1 PM_A_ 0
	unit 2 PM_A_ 0
	unit 3 PM_B_ 8
	echo '};'
} >"$dir/alias.dts"
dtc -q -f -O dtb -o "$dir/alias.dtb" "$dir/alias.dts" 2>/dev/null
$tool picture "$dir/alias.dtb" >"$dir/alias.svg"
is "aliases: PM_A_E twice" 2 "$(cells 'dot alias' "$dir/alias.svg")"
is "clashes: PM_A_F twice and PM_B_E" 3 "$(cells 'dot clash' "$dir/alias.svg")"
is "neither: PM_B_F" 6 "$(cells dot "$dir/alias.svg")"
grep -q 'an alias: several PMUs list one name' "$dir/alias.svg" && pass || fail "no word on aliases"

# Contrast in dark mode: at least 3:1 for marks, pale ones too, and 4.5:1 for text.
cat >"$dir/contrast.awk" <<'END'
function level(i) { i = i / 255; return i <= 0.03928 ? i / 12.92 : exp(2.4 * log((i + 0.055) / 1.055)) }
function digit(c) { return index("0123456789abcdef", c) - 1 }
function part(h, i) { return 16 * digit(substr(h, i, 1)) + digit(substr(h, i + 1, 1)) }
function light(h, opacity,    i, v, sum) {
	for (i = 0; i < 3; i++) {
		v = opacity * part(h, 2 * i + 1) + (1 - opacity) * part(ground, 2 * i + 1)
		sum += (i == 0 ? 0.2126 : i == 1 ? 0.7152 : 0.0722) * level(v)
	}
	return sum
}
function contrast(h, opacity) { return (light(h, opacity) + 0.05) / (light(ground, 1) + 0.05) }
BEGIN { RS = "}" }
/@media/ { dark = 1; sub(/.*@media[^{]*\{/, "") }
dark && /fill:#/ { name = $0; sub(/.*\n/, "", name); split(name, rule, "{"); sub(/.*fill:#/, "", name)
	colour[rule[1]] = substr(name, 1, 6) }
dark && /\.pale\{/ { pale = $0; sub(/.*fill-opacity:/, "", pale) }
END {
	ground = colour[".bg"]
	for (name in colour) {
		if (name == ".bg" || name == ".off")
			continue
		if (contrast(colour[name], 1) < (name ~ /text|\.s$|red/ ? 4.5 : 3))
			print name, contrast(colour[name], 1)
		if (name ~ /^\.k/ && contrast(colour[name], pale) < 3)
			print "pale", name, contrast(colour[name], pale)
		marks += name ~ /^\.k/
	}
	if (marks != 8 || !pale)
		print "marks", marks, "pale", pale
}
END
is "contrast in the dark" "" "$(awk -f "$dir/contrast.awk" "$dir/alias.svg")"

# Equal rows are folded into one.
$tool picture build/boards/thead-th1520.dtb >"$dir/fold.svg"
grep -q '>0x1-0x2a, 42 rows alike<' "$dir/fold.svg" && pass || fail "TH1520's 42 rows are not folded"
grep -q '== 0x1, 0x2, 0x3,.* 0x2a: counters 3-18' "$dir/fold.svg" && pass || fail "and which they are is not told"
$tool picture build/boards/andes-ax45mp.dtb | grep -q '>0x1 ... 0x190, 52 rows alike<' && pass ||
	fail "AX45MP's 52 rows, with gaps, are not folded"

# Rows with a warning from check are red and named.
$tool picture build/boards/sophgo-sg2044.dtb >"$dir/marks.svg"
is "SG2044: red cells of 0x7 and 0xa" $((2 * 29)) "$(cells 'on clash' "$dir/marks.svg")"
is "SG2044: its red rows" "default-collision default-collision" \
	"$(sed -nE 's/^<text class="red"[^>]*>(.*)<.*/\1/p' "$dir/marks.svg" | paste -sd' ')"
grep -q 'a mistake: pmumap check explains it' "$dir/marks.svg" && pass || fail "no word on red rows"
$tool picture build/boards/qemu-virt.dtb | grep -q 'on clash\|class="red"\|with a mistake' &&
	fail "red in a picture without a mistake" || pass

# Too many classes to draw. The same map always gives the same picture.
{
	echo '/dts-v1/; / { pmu { compatible = "riscv,pmu"; riscv,raw-event-to-mhpmcounters = <'
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "0 %d 0 0xffff 0x%x ", i, i % 500 * 8 + 8 }'
	echo '>; }; };'
} >"$dir/many.dts"
$tool picture "$dir/many.dts" >"$dir/many.svg"
good "$dir/many.svg"
grep -q 'There are more classes' "$dir/many.svg" && pass || fail "not all classes, and it does not say so"
$tool picture "$dir/many.dts" | cmp -s - "$dir/many.svg" && pass || fail "another picture"

is "one unit" 9 "$($tool picture --unit mba0 build/boards/imc-power9.dtb | wc -l |
	awk '{ print ($1 > 20) * 9 }')"
if $tool picture --unit none build/boards/imc-power9.dtb >/dev/null 2>"$dir/error"; then
	fail "--unit none is drawn"
else
	is "--unit none" "pmumap: build/boards/imc-power9.dtb: no PMU none" "$(cat "$dir/error")"
fi
finish
