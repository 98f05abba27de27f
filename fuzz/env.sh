# SPDX-License-Identifier: BSD-2-Clause
#
# Environment of sanitizers and AFL++, for run.sh, min.sh and the planted bugs.

export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 UBSAN_OPTIONS=abort_on_error=1
export AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_NO_AFFINITY=1 AFL_FAST_CAL=1

# mutator HARNESS FOLDER: uses FOLDER/mutator.so if the input is a device tree
mutator() {
	unset AFL_CUSTOM_MUTATOR_LIBRARY
	case $1 in
	blob | emit) export AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/${2#"$PWD/"}/mutator.so ;;
	esac
}
