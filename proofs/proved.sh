# SPDX-License-Identifier: BSD-2-Clause
#
# For wp.sh and run.sh: which proofs need no repetition. proved.txt has a hash of the input of each
# (input.py) that has succeeded.
#
# PROVED: trust (leave out what proved.txt has), write (write there what succeeds), or compare (fail
# if a proof succeeds that is not there). Without it proved.txt is not used.

record=proofs/proved.txt

# written NAME: proved.txt has this proof. $dir/hashes has lines "NAME HASH".
written() {
	grep "^$1 " "$dir/hashes" | grep -qxFf - "$record"
}

# proved NAME: tells of a proof that has succeeded
proved() {
	case ${PROVED:-} in
	compare) written "$1" || { echo "$1 is not in $record: run make prove"; return 1; } ;;
	write)
		{ grep -v "^$1 " "$record"; grep "^$1 " "$dir/hashes"; } | LC_ALL=C sort >"$dir/record"
		cat "$dir/record" >"$record"
		;;
	esac
}

# trusted NAME: need not be proved again
trusted() {
	[ "${PROVED:-}" = trust ] && written "$1"
}
