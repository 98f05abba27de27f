# SPDX-License-Identifier: BSD-2-Clause
#
# bug NAME WHAT FILE[:FUNCTION] FROM TO LAYER...: FROM occurs once in this file of src/, tool/ or
# packaging/page/, or in this function of it. Each layer must notice:
#
#	unit:TEST,TEST		one of these unit tests fails, with fewer random cases
#	replay:HARNESS		one of its inputs in fuzz/corpus stops it
#	wp:PART:FUNCTION	a goal of the function is open
#	cbmc:CLAIM		the claim fails
#	fuzz:HARNESS		AFL++ finds it, without the inputs that show it
#	golden:FILE		a command of tests/tool/FILE.txt has another output
#	scripts:SCRIPT[+PART]	this script of tests/check fails
#	browser:page		tests/check/page.py fails

# Three bugs that no test noticed at first.
bug fixed-first "assign: a fixed counter before one that interrupts" riscv/pick.h \
	'features & PMUMAP_CAN_INTERRUPT' 'features & PMUMAP_MUST_FILTER' unit:pick cbmc:assign
bug pinned-nowhere "assign: who is pinned to -1 counts as placed" riscv/pick.h \
	'want[i].pinned && want[i].counter >= 0;' 'want[i].pinned && want[i].counter >= -1;' \
	unit:pick cbmc:assign
bug run-too-long "list: a run that has to end at 0xfffe ends at 0xffff" riscv/list.h \
	'if (next <= limit)' 'if (next < limit)' unit:boards,restrict wp:riscv:pmumap_riscv_run_end_

# Blobs and their reader.
bug property-end "walk: a value may end behind the block" fdt/next.h \
	'if (bytes > c->end - c->at || name >= c->names_bytes)' 'if (name >= c->names_bytes)' \
	unit:blob replay:blob fuzz:blob
bug property-head "walk: half of a property's head is enough" fdt/next.h \
	'c->end - c->at < 8)' 'c->end - c->at < 4)' unit:blob wp:fdt:pmumap_fdt_take_property_
bug node-offset "walk: the node at hand is not where it was" fdt/next.h \
	'c->offset = c->at - 4 - c->start;' 'c->offset = c->at - c->start;' unit:blob,tables \
	wp:fdt:pmumap_fdt_enter_node_
bug last-row "reader: the last row is lost" riscv/add_table.h \
	'if (rest->bytes < 4 * rest->cells)' \
	'if (rest->bytes <= 4 * rest->cells)' unit:blob replay:tree fuzz:tree
bug row-incomplete "reader: a row that is not complete" riscv/add_table.h \
	'if (rest->bytes < 4 * rest->cells)' 'if (rest->bytes + 1 < 4 * rest->cells)' \
	unit:blob cbmc:read-counters

# The builder, and a virtual PMU.
bug range-cut "builder: a range ends where the next one does" riscv/build_events.h \
	'if ((counters & 1) && reach[counter] < stop)' 'if (counters & 1)' \
	unit:tables replay:tree fuzz:tree
bug selector-twice "builder: a selector holds for two events" riscv/build_events.h \
	'next = at + 1;' 'next = at + 2;' \
	unit:tables replay:tree cbmc:sweep-indexed
bug row-behind "builder: a row more than there is room for" riscv/rows.h \
	'if (b->kept < b->room) {' 'if (b->kept <= b->room) {' \
	unit:findings wp:builder:pmumap_builder_add_row_
bug sort-behind "builder: the last run is as long as all others" riscv/sort.h \
	'stop = to + run < end - run ? to + 2 * run : end;' 'stop = to + 2 * run;' \
	unit:tables wp:order:pmumap_merge_sort_
bug vpmu-beside "vpmu: the overflow of the next counter is kept" server/vpmu.h \
	'v->overflowed |= (uint32_t)1 << counter;' 'v->overflowed |= (uint32_t)1 << (counter + 1);' \
	unit:vpmu wp:vpmu:pmumap_vpmu_keep_value_

# Tables of a map.
bug raw-room "builder: room for half of an index is counted" riscv/build.h \
	'_places_(n) * sizeof(uint16_t);' '_places_(n) * sizeof(uint8_t);' \
	unit:tables cbmc:raw-fits
bug own-beside "IMC: an event has the strings of the next one" imc/build.h \
	'EVENTS_(b)[pair[1]]' 'EVENTS_(b)[pair[1] + 1]' \
	unit:imc_trees replay:tree
bug bucket-short "IMC: the last bucket does not end" imc/build.h \
	'for (i = 0; i < buckets; i++)' 'for (i = 0; i + 1 < buckets; i++)' unit:imc replay:tree
bug large-bucket "IMC: short names beside a large bucket are hashed like long ones" imc/build.h \
	'm->whole = ~(uint64_t)0;' 'm->whole = 0;' unit:imc_trees replay:tree
bug grant-wide "restrict: a run goes on behind its range" riscv/restrict.h \
	'run->last < range->last ? run->last : range->last' 'run->last' unit:restrict cbmc:add-map

# Images that pmumap_open() must reject.
bug index-byte "open: an index byte one too large" riscv/open.h \
	'event_index[i] >= m->records' 'event_index[i] > m->records' unit:image cbmc:open-events
bug raw-last "open: the last raw row lies outside" riscv/open.h \
	'm->raw_rows, rows, sizeof(struct pmumap_raw_row)' 'm->raw_rows, rows - (rows > 0), sizeof(struct pmumap_raw_row)' \
	unit:image wp:riscv:pmumap_riscv_open_raw_

bug chips-unchecked "open: chips of IMC anywhere" imc/open.h \
	'!PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||' '' \
	unit:imc_image fuzz:image
bug start-behind "open: a bucket of IMC may end behind the rows" imc/open.h \
	' || starts[n] > m->names' '' unit:imc_image fuzz:image

# Look-ups.
bug record-start "look-up: off by one at the start of a record" riscv/tables.h \
	'pmumap_riscv_first_event_(&r[half]) <= event' 'pmumap_riscv_first_event_(&r[half]) < event' \
	unit:tables replay:tree cbmc:emit-sorted
bug event-limit "look-up: an event that is none" riscv/tables.h \
	'if (event >= PMUMAP_EVENT_LIMIT)' 'if (event > PMUMAP_EVENT_LIMIT)' \
	unit:boards,image wp:riscv:pmumap_riscv_search_record_
bug raw-union "look-up: the last raw row in place of the union" riscv/lookup.h \
	'counters |= r->counters;' 'counters = r->counters;' unit:tables replay:tree
bug raw-48 "pick: raw events of version 2 cut to 48 bits" riscv/tables.h \
	'#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffffu' '#define PMUMAP_RAW_V2_BITS_ 0xffffffffffffu' \
	unit:pick cbmc:plan
bug pinned-31 "assign: who is pinned to 31 shares it" riscv/pick.h \
	'else if (want[i].counter >= 0 && want[i].counter < (int32_t)PMUMAP_COUNTERS_)' \
	'else if (want[i].counter >= 0 && want[i].counter < 31)' unit:pick replay:image fuzz:image
bug pinned-beside "assign: the counter beside a pinned one is taken off" riscv/pick.h \
	'free &= ~(1u << want[i].counter)' 'free &= ~(2u << want[i].counter)' unit:pick cbmc:assign
bug cpu-behind "AMU: one CPU more than there are" amu/map.h \
	'index >= m->cpu_count' 'index > m->cpu_count' \
	unit:amu wp:amu:pmumap_amu_cpu_at
bug amu-next-name "AMU: the name of the next counter" amu/map.h \
	'pmumap_amu_place_of_name_(v, counter)' 'pmumap_amu_place_of_name_(v, counter + 1)' \
	unit:amu replay:tree fuzz:tree
bug event-behind "IMC: one event more than the unit has" imc/list.h \
	'index >= PMUMAP_IMC_UNITS_(m)[unit].events' 'index > PMUMAP_IMC_UNITS_(m)[unit].events' \
	unit:imc replay:tree
bug imc-last-event "IMC: the last match of an offset is not found" imc/find.h:pmumap_imc_find_offset \
	'if (nth >= start[1] - at' 'if (nth + 1 >= start[1] - at' unit:imc replay:tree fuzz:tree
bug nth-behind "IMC: the match behind the nth" imc/find.h \
	'at += from ? 0 : nth - 1;' 'at += from ? 0 : nth;' unit:imc replay:tree
bug trace-buffer "IMC: a fifth buffer size" imc/hw.h \
	'fields->buffer > 4' 'fields->buffer > 5' unit:imc_words cbmc:trace-scom

# Written trees.
bug emit-mask "emit: a mask that is cut" riscv/emit.h \
	'pmumap_fdt_edit_put_pair_(e, mask);' 'pmumap_fdt_edit_put_pair_(e, select | mask >> 1);' \
	unit:emit replay:emit fuzz:emit

# What an attacker looks for, and mistakes of a tired maintainer.
bug part-end "header: a part may end one byte behind the blob" fdt/blob.h \
	'bytes <= total - offset' 'bytes <= total - offset + 1' \
	unit:blob wp:fdt:pmumap_fdt_holds_part_ cbmc:fdt-part
bug reg-swapped "reader: an address of two cells in the order of the machine" fdt/address.h \
	'pmumap_load_be64_(p)' 'pmumap_load_le64_(p)' unit:amu replay:tree
bug block-unaligned "begin: a block that is aligned to 4 only" riscv/rows.h \
	'(size_t)mem % 8 ?' '(size_t)mem % 4 ?' unit:findings replay:blob
bug image-early "finish: an image may be opened before it is whole" riscv/finish.h \
	'm->head.version = PMUMAP_IMAGE_VERSION;' \
	'm->head.magic = PMUMAP_MAGIC, m->head.version = PMUMAP_IMAGE_VERSION;' \
	unit:findings wp:builder:pmumap_map_begin_image_
bug removed-added "edit: tags that go are added to the room" fdt/edit.h \
	'e->total - removed + added' 'e->total + removed + added' unit:emit replay:emit
bug head-overlap "open: a table may lie in the head" core/image.h \
	'offset >= head &&' 'offset >= 8 &&' unit:image wp:riscv:pmumap_image_holds_
bug size-wraps "open: the size of a table wraps at 2^32" core/image.h \
	'(uint64_t)count * each' 'count * each' unit:image wp:riscv:pmumap_image_holds_
bug last-cpu "open: the view of the last CPU is not checked" amu/map.h \
	'(view >= m->view_count && view' '(i + 1 < m->cpu_count && view >= m->view_count && view' \
	unit:amu_words wp:amu:pmumap_amu_open_tables_
bug rv32-half "hart: on RV32 the upper half of a value is lost" hw/hart.h \
	'h->write(h->arg, csr + PMUMAP_CSR_COUNTER_HIGH_, value >> 32);' \
	'h->write(h->arg, csr + PMUMAP_CSR_COUNTER_HIGH_, 0);' unit:registers cbmc:hart-value
bug vpmu-overflow "vpmu: what has overflowed stays after a new start" server/vpmu.h \
	'v->overflowed &= v->running | ~bit;' 'v->overflowed &= ~(uint32_t)0;' \
	unit:vpmu cbmc:vpmu-overflows
bug vpmu-left "vpmu: values stay on the hart when a guest leaves" server/vpmu.h \
	'if (!pmumap_vpmu_place_value_(v, counter, &v->job[counter], 0)) {' 'if (0) {' \
	unit:vpmu replay:guests
bug set-32 "server: a set of counters is cut to 32 bits" server/counters.h \
	'*set = pmumap_server_shift_up_(a[1], (uint32_t)a[0]);' \
	'*set = (uint32_t)pmumap_server_shift_up_(a[1], (uint32_t)a[0]);' unit:sbi_pmu replay:calls
bug page-read "server: a page that the guest may only read takes snapshots" server/guest.h \
	'pmumap_server_access_(s, at, 0, 0, bytes, 1);' 'pmumap_server_access_(s, at, 0, 0, bytes, 0);' \
	unit:sbi_pmu replay:guests
bug info-wraps "server: 2^60 entries are as none" server/info.h \
	'(a[0] & 15) || a[2] > PMUMAP_SERVER_INFO_ENTRIES)' '(a[0] & 15))' unit:sbi_pmu cbmc:event-info

# A server whose host refuses now and then, or whose guest tries everything.
bug stop-refusal "server: only the last refused value counts" \
	server/snapshot.h:pmumap_server_take_snapshot_ \
	'good &= pmumap_server_save_value_' 'good = pmumap_server_save_value_' \
	unit:sbi_pmu,sbi_random replay:calls
bug start-refusal "server: a value that cannot be read is no error" \
	server/sets.h:pmumap_server_start_set_ \
	'error = PMUMAP_SBI_NO_SHMEM;' ';' unit:sbi_pmu,sbi_random replay:calls
bug start-some "server: one configured counter is enough for a start" \
	server/sets.h:pmumap_server_start_set_ \
	'(set & ~s->configured)' '!(set & s->configured)' unit:sbi_pmu,sbi_random replay:calls
bug stop-free "server: a stop reaches counters without an event" \
	server/sets.h:pmumap_server_stop_set_ \
	'set &= s->configured;' '' unit:sbi_pmu,sbi_random replay:calls
bug overflow-old "server: an old overflow stays in the snapshot" \
	server/snapshot.h:pmumap_server_save_overflows_ \
	'bits &= ~pmumap_server_shift_down_(members, base);' '' unit:sbi_pmu,sbi_random replay:calls
bug overflow-kept "server: without Sscofpmf old bits of the snapshot stay" \
	server/snapshot.h:pmumap_server_save_overflows_ \
	's->features & PMUMAP_CAN_INTERRUPT' '1' unit:sbi_pmu,sbi_random replay:calls
bug skip-hole "server: SKIP_MATCH takes mcycle from a guest without it" \
	server/match.h:pmumap_server_configure_set_ \
	'(s->counters & PMUMAP_FIXED_COUNTERS_)' 'PMUMAP_FIXED_COUNTERS_' \
	unit:sbi_pmu,sbi_random replay:calls
bug virtual-modes "server: the filters of VS apply to U" \
	server/match.h:pmumap_server_inhibit_modes_ \
	'modes >> 2 &' 'modes >> 1 &' unit:sbi_pmu,sbi_random replay:calls
bug skip-runs "server: SKIP_MATCH gives a running counter a new job" \
	server/match.h:pmumap_server_configure_set_ \
	'free &= ~s->started;' '' unit:sbi_pmu,sbi_random replay:calls
bug info-whole "server: EVENT_GET_INFO overwrites what another hart stores in an entry" \
	server/info.h:pmumap_server_answer_entry_ \
	'offset + 4, &answer, 4,' 'offset, entry, 8,' unit:sbi_pmu,sbi_random cbmc:event-info
bug firmware-old "server: a firmware counter shows its last owner's value" \
	server/match.h:pmumap_server_configure_firmware_ \
	'job->clear || !(s->configured & set)' 'job->clear' unit:sbi_pmu,sbi_random replay:calls
bug platform-stays "server: a firmware counter stays one of platform events" \
	server/match.h:pmumap_server_configure_firmware_ \
	's->fw_platform &= ~bit;' '' unit:sbi_pmu,sbi_random replay:calls
bug reserved-event "server: the host is asked about reserved firmware events" \
	server/match.h:pmumap_server_has_firmware_event_ \
	'code >= PMUMAP_SERVER_FW_EVENTS' 'code > PMUMAP_SERVER_FW_EVENTS' \
	unit:sbi_pmu,sbi_random replay:calls
bug delegated-used "server: counters that S-mode owns are matched" \
	server/calls.h:pmumap_server_init_sized \
	's->counters &= ~s->delegated;' '' unit:sbi_pmu,sbi_random replay:calls
bug high-half "server: FW_READ_HI returns a half on RV64" \
	server/calls.h:pmumap_server_read_firmware_ \
	'(value & ~s->ones) >> 32' 'value >> 32' unit:sbi_pmu,sbi_random replay:calls
bug high-bits "server: bits above a 32-bit register count" \
	server/calls.h:pmumap_server_call \
	'args[i] & 0xffffffffu' 'args[i]' unit:sbi_pmu,sbi_random replay:calls
bug shared-low "server: the upper half of the snapshot's address is lost" \
	server/snapshot.h:pmumap_server_set_shmem_ \
	's->shared[1] = a[1];' 's->shared[1] = 0;' unit:sbi_pmu,sbi_random replay:calls
bug range-wraps "server: the host is asked about a range that wraps" \
	server/guest.h:pmumap_server_may_access_ \
	'bytes <= ~pmumap_server_join_argument_(s, at) &&' '' unit:sbi_pmu,sbi_random replay:calls
bug info-granted "server: EVENT_GET_INFO tells about counters of others" \
	server/info.h:pmumap_server_has_event_ \
	's->usable' '~PMUMAP_TIME_BIT_' unit:sbi_pmu,sbi_random replay:calls
bug reset-shared "server: a reset leaves the snapshot's page shared" \
	server/calls.h:pmumap_server_reset \
	's->shared[0] = PMUMAP_SERVER_NOT_SHARED_;' '' unit:sbi_pmu,sbi_random replay:calls
bug reset-one "server: a reset releases one counter" \
	server/calls.h:pmumap_server_reset \
	'while (s->configured)' 'if (s->configured)' unit:sbi_pmu,sbi_random replay:calls

# Virtual CPUs on a hart or firmware that refuses.
bug set-ignored "vpmu: a job that the hart has refused is loaded" server/vpmu.h:pmumap_vpmu_set_ \
	'} else if (!pmumap_vpmu_load_standing_(v, counter, job, value)) { return 0;' \
	'} else { (void)pmumap_vpmu_load_standing_(v, counter, job, value);' unit:vpmu replay:firmware
bug standing-value "vpmu: a refused job leaves its value on the hart" \
	server/vpmu.h:pmumap_vpmu_load_standing_ \
	'v->hart->start(v->hart->arg, counter, &none);' '' unit:vpmu replay:firmware
bug refused-running "vpmu: what the hart refused is not told" \
	server/vpmu.h:pmumap_vpmu_restore_sets \
	'running) & ~refused;' 'running);' unit:vpmu replay:firmware
bug refused-released "vpmu: the count of a counter that the hart released is lost" \
	server/vpmu.h:pmumap_vpmu_change_job_ \
	'if (!pmumap_vpmu_load_counter_(v, counter)) {' 'if (0) {' unit:vpmu cbmc:vpmu-keeps

# Registers.
bug renewed-overflow "hart: a start keeps the overflow of the last run" \
	hw/hart.h:pmumap_hart_renew_event_ 'overflowed = 0;' ';' unit:registers,vpmu replay:firmware
bug stops-alone "hart: a stop starts all other counters" hw/hart.h:pmumap_hart_stop \
	'pmumap_hart_read_inhibit_(h) | 1u << counter' '1u << counter' \
	unit:registers,vpmu replay:firmware
bug selector-modes "hart: a selector reaches the bits of the modes" \
	hw/hart.h:pmumap_hart_own_bits_ \
	'64 - PMUMAP_INHIBIT_BIT_' '64 - PMUMAP_OVERFLOW_BIT_' unit:registers,vpmu replay:firmware
bug permit-time "hart: permitting counters forbids time" hw/hart.h:pmumap_hart_permit \
	'| time' '' unit:registers replay:firmware
bug secret-lost "hart: values of a virtual CPU that left are not wiped" \
	hw/hart_sets.h:pmumap_hart_take_each_ 'h->secret |= touched;' '' \
	unit:vpmu replay:firmware
bug wipe-value "hart: wiping keeps the value" hw/hart_sets.h:pmumap_hart_load_each_ \
	'pmumap_hart_write_value_(h, n, 0);' '' unit:vpmu replay:firmware
bug overflow-last "hart: only the last overflow is saved" hw/hart_sets.h:pmumap_hart_take_each_ \
	'*overflowed |=' '*overflowed =' unit:vpmu replay:firmware
bug width-last "probe: the last counter's width counts" hw/probe.h:pmumap_hart_probe \
	'bits < h->width ? bits : h->width' 'bits' unit:registers replay:firmware
bug probe-permits "probe: lower modes may read all counters afterwards" \
	hw/probe.h:pmumap_hart_shows_overflow_ \
	'h->write(h->arg, PMUMAP_CSR_MCOUNTEREN_, permitted);' '' unit:registers replay:firmware
bug probe-starts "probe: fixed counters that stood run afterwards" hw/probe.h:pmumap_hart_halt_ \
	'(uint32_t)~PMUMAP_FIXED_COUNTERS_ | running' '(uint32_t)~PMUMAP_FIXED_COUNTERS_' \
	unit:registers replay:firmware
bug probe-modes "probe: mcyclecfg keeps the bits of the test" hw/probe.h:pmumap_hart_keeps_modes_ \
	'pmumap_hart_write_event_(h, counter, before);' '' unit:registers replay:firmware
bug delegate-stays "delegate: counters stay open where it fails" \
	hw/delegate.h:pmumap_hart_delegate \
	'pmumap_hart_permit(h, 0);' '' unit:registers replay:firmware
bug select-closed "delegate: S-mode gets counters without siselect" \
	hw/delegate.h:pmumap_hart_opens_select_ \
	'!pmumap_hart_enable_(' 'pmumap_hart_enable_(' unit:registers replay:firmware
bug answer-bits "SBI: any bit of EVENT_GET_INFO's answer means yes" \
	hw/sbi_events.h:pmumap_sbi_ask_event_ \
	'entry[4] & 1' 'entry[4] != 0' unit:registers replay:firmware
bug tried-kept "SBI: a counter that was tried is not released" \
	hw/sbi_events.h:pmumap_sbi_try_counters_ \
	'pmumap_sbi_stop(s, counter, 1);' '' unit:registers replay:firmware
bug touched-loaded "SBI: a released counter keeps its value" \
	hw/sbi_sets.h:pmumap_sbi_sets_release_ \
	's->secret |= touched;' 's->secret |= loaded;' unit:vpmu replay:firmware
bug snapshot-place "SBI: values lie at the hart's numbers in the page" \
	hw/sbi_sets.h:pmumap_sbi_start_group_ \
	's->index[counter] - (uint32_t)base' 's->index[counter]' unit:vpmu replay:firmware
bug split-high "SBI: the upper half of an argument is lost on RV32" \
	hw/sbi.h:pmumap_sbi_high_ \
	'value >> 32' '0' unit:registers,vpmu replay:firmware

# The command line tool: what it prints, reads and includes.
bug comment-ends "write: a name may end its comment" tool/write/write.c:put_comment \
	'"_-.:"' '"_-.:*/"' golden:events scripts:untrusted.py+terminal
bug dash-file "dtc: a file whose name begins with a dash is an option" tool/source/dts.c:start_dtc \
	'command[n++] = "--";' '' golden:hostile scripts:untrusted.py+sources
bug catalog-limit "container: a catalog of any size is unpacked" tool/source/container.c:unpack \
	'room < CATALOG_MIB << 20' '1' golden:container scripts:untrusted.py+catalogs
bug fix-prefix "fix: a string that only begins alike is changed" tool/fix/fix_text.c:reword \
	'text.at[length + 1] != '\''"'\''' '0' golden:hostile scripts:untrusted.py+sources
bug delete-shown "output: DEL reaches the terminal" tool/text/output.c:put_escaped \
	'|| c >= 0x7f || command' '|| c > 0x7f || command' golden:hostile scripts:untrusted.py+terminal
bug delete-letter "output: DEL of a source reaches the terminal" tool/text/output.c:letter_bytes \
	'*at < 0x7f' '*at <= 0x7f' golden:hostile scripts:untrusted.py+terminal
bug text-turned "output: a letter that reverses text reaches the terminal" \
	tool/text/output.c:turns_text 'letter <= 0x202e' 'letter < 0x202e' \
	golden:hostile scripts:untrusted.py+terminal
bug range-merged "write: adjacent events with other counters share a range" \
	tool/write/write.c:end_of_range 'e[i + 1].counters == e[i].counters' '1' \
	golden:write scripts:write.sh
bug picture-text "picture: a text is not escaped" tool/picture/svg.c \
	'"&lt;"' '"<"' golden:hostile scripts:picture.sh

# The web page: its script and the system calls of the tool in it.
bug drawn-script "page: a picture may bring a script" packaging/page/page.js:drawing \
	'DRAWN.includes(child.localName)' 'child.localName' scripts:page.mjs browser:page
bug drawn-attribute "page: a picture may bring any attribute" packaging/page/page.js:drawing \
	'of DRAWN_WITH' 'of source.getAttributeNames()' scripts:page.mjs browser:page
bug answer-endless "page: an answer may have any length" packaging/page/wasi.js:runProgram \
	'written > limit' 'false' scripts:page.mjs browser:page
bug write-aliased "page: an answer changes with the tool's memory" packaging/page/wasi.js:runProgram \
	'push(buffer.slice())' 'push(buffer)' scripts:page.mjs browser:page
