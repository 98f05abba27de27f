#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# linux.sh [VERSION]
#
# Debian's RISC-V kernel under QEMU 7.2, on OpenSBI (1.6 or newer) unchanged, with the map, and with
# the server of hosts/opensbi. Compares the kernel's counts and the output of perf side by side with
# what the server has to reach. Under KVM, this Linux is the host and its guest counts. Takes three
# minutes of CPU time.
#
# The workload touches a fixed number of pages, and each QEMU TLB miss counts. Ranges allow for the
# kernel's own work. QEMU 10 does not work here: it produces no samples on any firmware.
. tests/check/lib.sh

opensbi=${1:-1.6}
scripts/opensbi-build.sh $opensbi || { fail "OpenSBI does not build"; finish; }
# Unchanged 1.6 can do nearly all of this. The newer one runs with the map and with fixes; before
# 1.9 its sbi_pmu.c still uses a fixed counter when no counter with filters is free.
case $opensbi in
1.6) host=stock wrong=WRONG-stock all="stock map server" ;;
*) host=map wrong=map all="map server" ;;
esac
[ $host = stock ] || ! grep -q 'define OPENSBI_VERSION_MINOR[[:space:]]*[0-8]$' \
	build/firmware/opensbi-$opensbi/include/sbi/sbi_version.h || wrong=WRONG-map
scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux ||
	{ fail "no kernel"; finish; }
kernel=$(ls build/firmware/linux/boot/vmlinux-* | head -n 1)
# perf, with the libraries that it needs to start.
scripts/fetch.sh deb riscv64 linux-perf build/firmware/perf \
	libatomic1 libaudit1 libbabeltrace1 libbz2-1.0 libc6 libcap-ng0 libcrypt1 libdw1t64 \
	libelf1t64 libexpat1 libgcc-s1 libglib2.0-0t64 liblzma5 libnuma1 libopencsd1 libpcre2-8-0 \
	libperl5.40 libpython3.13 libslang2 libstdc++6 libtraceevent1 libuuid1 libzstd1 zlib1g ||
	{ fail "no perf"; finish; }

# ---- the machine
# -----------------------------------------------------------------------------------

compile="riscv64-linux-gnu-gcc -O2 $warnings"

# archive FOLDER: packs it as an initramfs
archive() {
	(cd "$dir/$1" && find . | cpio -o -H newc --quiet) >"$dir/$1.cpio"
}

# This initramfs has one static program.
mkdir "$dir/small" "$dir/init" "$dir/perf"
works "the small program builds" $compile -std=gnu11 -static tests/linux/small.c \
	-o "$dir/small/init"
works "the program builds" $compile -std=gnu11 -static tests/linux/init.c -o "$dir/init/init"
archive small
archive init

# perf needs its libraries. Leave out the one for debuginfo servers: it pulls in twenty more, and
# there is no network.
mkdir "$dir/perf/bin" "$dir/perf/lib" "$dir/perf/tmp"
cp "$dir/init/init" "$dir/perf/init"
cp build/firmware/perf/usr/bin/perf "$dir/perf/bin/"
cat >"$dir/debuginfod.c" <<'END'
void *debuginfod_begin(void);
void debuginfod_end(void *client);
int debuginfod_find_debuginfo(void);
int debuginfod_find_source(void);
void *debuginfod_begin(void) { return (void *)0; }
void debuginfod_end(void *client) { (void)client; }
int debuginfod_find_debuginfo(void) { return -38; }
int debuginfod_find_source(void) { return -38; }
END
echo 'ELFUTILS_0.178 { global: *; };' >"$dir/debuginfod.map"
works "no debuginfod" $compile -shared -fPIC -Wl,--version-script="$dir/debuginfod.map" \
	"$dir/debuginfod.c" -o "$dir/perf/lib/libdebuginfod.so.1"

# needed FILE: copies its libraries, recursively
needed() {
	for name in $(riscv64-linux-gnu-readelf -d "$1" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
		[ ! -e "$dir/perf/lib/$name" ] || continue
		library=$(find build/firmware/perf -name "$name" | head -n 1)
		[ -n "$library" ] || { fail "no package has $name"; continue; }
		cp -L "$library" "$dir/perf/lib/"
		needed "$library"
	done
}
needed "$dir/perf/bin/perf"

# Each line has a name and a command. "touch N" reads 16384 pages N times.
cat >"$dir/perf/commands" <<'END'
list /bin/perf --no-pager list hw cache
stat /bin/perf stat -x, -e dTLB-load-misses:u,iTLB-load-misses:u,cycles:u,instructions:u /init touch 4
group /bin/perf stat -x, -e {dTLB-load-misses,dTLB-store-misses}:u /init touch 4
all /bin/perf stat -x, -a -A -e dTLB-load-misses:u /init touch 4
ipis /bin/perf stat -x, -a -e r8000000000000006,r8000000000000007 /init ipis
record /bin/perf record -o /tmp/data -e dTLB-load-misses:u -c 1000 /init touch 172
report /bin/perf --no-pager report -i /tmp/data --stats
report-comm /bin/perf --no-pager report -i /tmp/data --stdio --stdio-color never --sort comm,dso
END
archive perf

# Converts perf's output to rows like those of tests/linux/init.c. A row's time is the time running,
# with its share of the whole.
perf_rows() {
	awk '
	function row(what, n) { printf "=perf-%s %s 0 0 0\n", what, n }
	/^#exit/ { row(name "/exit", $2); name = ""; next }
	/^#[a-z-]+$/ { name = substr($0, 2); next }
	name == "list" && /Hardware event|misses/ { listed++ }
	name == "report" && !samples && /SAMPLE events:/ { samples = $3 }
	name == "report-comm" && $2 == "init" && $3 == "init" { share = int($1) }
	name == "all" && /^CPU/ { split($0, f, ","); cpus++; sum += f[2]; next }
	name && split($0, f, ",") >= 6 {
		error = f[1] !~ /^[0-9]+$/
		printf "=perf-%s/%s %s %d %s %s\n", name, f[3], f[1], error, 100, f[5] + 0
	}
	END {
		row("list/events", listed + 0)
		row("all/harts", cpus + 0)
		row("all/sum", sum + 0)
		row("report/samples", samples + 0)
		row("report/init", share + 0)
	}' \
		"$1" >>"$1"
}

# Device trees: QEMU's own; one with swapped selectors; one whose harts can suspend and lose their
# state.
property=pmu-num=2
qemu-system-riscv64 -device rv64-riscv-cpu,help 2>/dev/null | grep -q pmu-num || property=pmu-mask=0x18
machine="qemu-system-riscv64 -machine virt -m 1G -nographic -net none"
full="-cpu rv64,sscofpmf=true"
tree() {
	works "QEMU's tree $1" qemu-system-riscv64 -machine virt,dumpdtb="$dir/$1.dtb" -m 1G \
		-nographic -net none $2
}
tree virt "$full"
tree two "$full,$property"
tree sleep "$full -smp 2"
tree kvm "$full,h=true"
works "the tree swapped" tests/opensbi/tree.sh "$dir/virt.dtb" swapped \
	"$dir/swapped.dtb"

# put TYPE NODE PROPERTY VALUE: edits the tree with suspend
put() {
	works "$3" fdtput -p -t "$1" "$dir/sleep.dtb" "$2" "$3" "$4"
}
state=/cpus/idle-states/sleep
put s $state compatible riscv,idle-state
put x $state riscv,sbi-suspend-param 80000000
put u $state entry-latency-us 1
put u $state exit-latency-us 1
put u $state min-residency-us 10
put x $state phandle 1000
put x /cpus/cpu@0 cpu-idle-states 1000
put x /cpus/cpu@1 cpu-idle-states 1000

# boot LOG FIRMWARE TREE INITRAMFS OPTIONS TEST...
boot() {
	log=$1.$2 bios=$2 tree=$3 init=$4 options=$5
	shift 5
	scripts/limit.sh 120 $machine $options -dtb "$dir/$tree.dtb" \
		-bios "build/firmware/opensbi-$bios-$opensbi.bin" -kernel "$kernel" -initrd "$dir/$init.cpio" \
		-append "console=ttyS0 quiet panic=-1 -- $*" </dev/null 2>&1 |
		head -c 1000000 | tr -d '\r' >"$dir/$log.log"
	grep -Eq '^=(end|raw)' "$dir/$log.log" || { fail "$log: no counts"; tail -n 10 "$dir/$log.log"; }
}

# -icount makes the guest's instruction count repeatable; the host's clock would not.
hypervisor="$full,h=true -icount shift=0,sleep=off -no-reboot"

# guest LOG: extracts the output of examples/hypervisor/guest.c, as text and as rows
guest_rows() {
	sed -n '/^# SBI/,/^=end/p' "$1" >"$1.guest"
	sed -nE 's/^(count 0x[12]|timers|exhaust 0x10019) -> ([0-9]+) .*/=guest-\1 \2 0 0 0/p' "$1.guest" |
		tr -s ' ' | sed -E 's/^(=[a-z-]+) (0x[0-9a-f]+)/\1-\2/' >>"$1"
}

# ---- runs
# ------------------------------------------------------------------------------------------

for firmware in $all; do
	boot small $firmware virt small "$full"
done
for firmware in $host server; do
	boot harts $firmware sleep init "$full -smp 2" filters group ipi throttle access hotplug suspend
	boot two $firmware two init "$full,$property" group busy five
	boot perf $firmware sleep perf "$full -smp 2" commands
	perf_rows "$dir/perf.$firmware.log"
done
boot swapped map swapped small "$full"

works "the guest of KVM" conformance/kvm.sh build/firmware/linux build/qemu/guest-rv64.elf \
	"$dir/kvm.cpio" build/qemu/rv64/guest.dtb
for firmware in $host server; do
	boot kvm $firmware kvm kvm "$hypervisor" 0
	guest_rows "$dir/kvm.$firmware.log"
done
works "a guest of KVM sees what it sees on $host" \
	cmp "$dir/kvm.$host.log.guest" "$dir/kvm.server.log.guest"

# KVM's answers do not depend on the firmware below, so nightly is enough.
if [ $opensbi = newer ]; then
	works "the suite as a guest of KVM" conformance/kvm.sh build/firmware/linux \
		build/qemu/conformance-rv64.elf "$dir/suite.cpio"
	for firmware in $host server; do
		KERNEL=$kernel CPU=rv64,sscofpmf=true,h=true conformance/run.sh "$dir/suite.cpio" \
			build/firmware/opensbi-$firmware-$opensbi.bin "$dir/suite.$firmware.tap" >"$dir/out"
	done
	works "KVM answers what it answers on $host" cmp "$dir/suite.$host.tap" "$dir/suite.server.tap"
	works "KVM is asked all rules" [ "$(grep -Ec '^(not )?ok ' "$dir/suite.server.tap")" = \
		"$(grep -c '^RULE(' conformance/rules.inc)" ]
fi

# ---- table
# -----------------------------------------------------------------------------------------

# value KIND LOG ROW: "count"; "share", the percentage of time on a counter; or "scaled", perf's
# estimate from both
value() {
	awk -v row="=$3" -v kind="$1" '
		$1 == row {
			found = 1
			if ($3)
				print $3 == 2 ? "refused" : "error:" $3
			else if (kind == "share")
				print $4 ? int(100 * $5 / $4 + 0.5) : "never"
			else if (kind == "scaled")
				print $5 ? int($2 * $4 / $5) : "never"
			else
				print $4 == $5 ? $2 : "partly"
			exit
		}
		END { if (!found) print "absent" }' "$dir/$2.log"
}

# fits VALUE LEAST MOST
fits() {
	case $1 in
	"$2") true ;;
	"" | *[!0-9]* | ???????????????????*) false ;; # more digits than test(1) can compare
	*) [ "$2" != refused ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] ;;
	esac
}

# row KIND LOG ROW LEAST MOST FIRMWARES: each must be in range. WRONG-FIRMWARE is known to be out of
# range; the table marks it.
row() {
	kind=$1 log=$2 name=$3 least=$4 most=$5
	shift 5
	wanted="$least to $most"
	[ "$least" != "$most" ] || wanted=$least
	printf '%-6s %-6s %-34s' "$log" "$([ $kind = count ] || echo $kind)" "$name"
	for column in stock map server; do
		case " $* " in
		*" $column "*) mark= ;;
		*" WRONG-$column "*) mark=! ;;
		*) printf ' %12s ' ""; continue ;;
		esac
		v=$(value $kind $log.$column "$name")
		if fits "$v" "$least" "$most"; then
			pass
			mark=' '
		elif [ -z "$mark" ]; then
			mark=X
			failed_rows="$failed_rows$log, $name, $column: $v, not $wanted
"
		fi
		printf ' %12s%s' "$v" "$mark"
	done
	printf '  %s\n' "$wanted"
}

failed_rows=
absurd=100000000000 # without -icount, cycles and instructions are the host's clock
both="$host server"

printf '%-6s %-6s %-34s %12s  %12s  %12s   %s\n' run "" row stock map server "has to be"
row count small cycles 131072 $absurd $all
row count small instructions 131072 $absurd $all
row count small dTLB-load-misses 65536 70000 $all
row count small dTLB-store-misses 65536 70000 $all
row count small iTLB-load-misses 1 16384 $all
row count small samples 16 18 $all # 4096 dTLB-load-misses each
row count small branch-misses refused refused $all
row count small LLC-load-misses refused refused $all
# Linux asks for a counter only when it needs one.
row share small raw-0x1234 0 0 $all

# User code touches pages, then the kernel does.
row count harts dTLB-load-misses:u 65536 68000 $both
row count harts dTLB-load-misses:k 0 4096 $both
row count harts dTLB-store-misses:u 0 1024 $both
row count harts dTLB-store-misses:k 16384 20480 $both
row share harts cycles:u 100 100 $both
row share harts instructions:u 100 100 $both
row count harts group/dTLB-load-misses 65536 70000 $both
row count harts group/dTLB-store-misses 65536 70000 $both
row count harts group/iTLB-load-misses 1 16384 $both

# Firmware events of a whole hart. One in 1000 may hit the hart that does not run the program.
row count harts fw-ipi-sent 995 1100 $both
row count harts fw-ipi-received 995 1100 $both
row count harts fw-sfence-vma-asid-sent 200 220 $both
row count harts fw-sfence-vma-asid-received 198 220 $both

# Throttling starts a running counter; that must lose no overflow.
for i in 1 2 3; do
	row count harts throttle$i/samples 2700 2900 $both
	row count harts throttle$i/throttled 100 2900 $both
done

# Counters read by user programs. In mode 2 Linux takes the fixed counters with SKIP_MATCH, and
# OpenSBI's own code may leave them at a wrong value.
for mode in 0 1 2; do
	[ $mode != 2 ] && firmwares=$both || firmwares="WRONG-$host server"
	row count harts access$mode/cycles 65536 $absurd $firmwares
	row count harts access$mode/instructions 65536 $absurd $firmwares
	row count harts access$mode/rdcycle $((mode / 2)) $((mode / 2)) $both
	row count harts access$mode/rdinstret $((mode / 2)) $((mode / 2)) $both
	row count harts access$mode/mapped $((mode > 0)) $((mode > 0)) $both
done

# Hotplug: a hart goes offline and comes back.
row count harts before/dTLB-load-misses 65536 70000 $both
row count harts hotplug/dTLB-store-misses 196608 204800 $both
row count harts hotplug/dTLB-load-misses 65536 70000 $both
row count harts hotplug/dTLB-load-misses:k 0 4096 $both
row count harts hotplug/samples 16 18 $both
row count harts hotplug/fw-ipi-sent 995 1100 $both
row count harts hotplug/fw-ipi-received 995 1100 $both

# Suspend: OpenSBI 1.6 loses its filters.
row count harts suspend/entered 1 1000 $both
row count harts suspend/dTLB-store-misses 65536 73728 $both
row count harts suspend/dTLB-load-misses:k 0 16384 $wrong server
row count harts suspend/samples 16 20 $both

# Two counters. OpenSBI 1.6 falls back on a fixed counter, which cannot filter modes.
row share two group/dTLB-load-misses 0 0 $both
row count two busy/dTLB-load-misses 262144 280000 $both
row share two busy/cycles:u 0 0 $wrong server
row share two busy/instructions:u 0 0 $wrong server
for event in dTLB-load-misses dTLB-store-misses iTLB-load-misses; do
	row share two five/$event 30 50 $both
done
row share two five/cycles:u 30 50 $wrong server
row share two five/instructions:u 30 50 $wrong server
row scaled two five/dTLB-load-misses 2400000 3900000 $both # 48 * 65536

# The perf program.
for command in list stat group all ipis record report report-comm; do
	row count perf perf-$command/exit 0 0 $both
done
row count perf perf-list/events 5 5 $both
row count perf perf-stat/dTLB-load-misses 65536 70000 $both
row count perf perf-stat/iTLB-load-misses 1 16384 $both
row count perf perf-stat/cycles:u 65536 $absurd $both
row count perf perf-stat/instructions:u 65536 $absurd $both
row count perf perf-group/dTLB-load-misses 65536 70000 $both
row count perf perf-group/dTLB-store-misses 1 16384 $both
row count perf perf-all/harts 2 2 $both
row count perf perf-all/sum 65536 70000 $both
row count perf perf-ipis/r8000000000000006 995 1500 $both
row count perf perf-ipis/r8000000000000007 995 1500 $both
row count perf perf-report/samples 2700 2900 $both
row count perf perf-report/init 90 100 $both

# A KVM guest on this firmware. QEMU 7.2 counts no TLB misses of a guest, and the guest's cycles and
# instructions include the host's work.
row count kvm guest-count-0x1 300000 330000 $both
row count kvm guest-count-0x2 300000 330000 $both
row count kvm guest-timers 3 3 $both
row count kvm guest-exhaust-0x10019 16 16 $both

# Selectors come from the tree alone, if it has any.
row count swapped dTLB-load-misses 0 16384 map
row count swapped dTLB-store-misses 0 16384 map
row count swapped instructions 131072 $absurd map
row count swapped iTLB-load-misses refused refused map
row count swapped branch-misses refused refused map
printf '! known to be wrong, X has to be mended\n'

printf '%s' "$failed_rows" >"$dir/failed"
while read -r line; do
	fail "$line"
done <"$dir/failed"
finish
