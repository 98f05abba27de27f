/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard.c -- the names of RISC-V International's performance events (draft of June 2025). They
 * have no codes: each core has its own, in its vendor's file. Some mean the same as one of SBI.
 */
#include <ctype.h>
#include "events.h"

/* {A,B,} stands for A, B or nothing. */
static const char *const names[] = {
	"CACHE.{L1D,L2,L3,LL}.{RD.,RD.DATA.,WR.,}{ACCESS,MISS,HIT,MERGE}",
	"CACHE.{L2,L3,LL}.RD.{PREF,CODE}.{ACCESS,MISS,HIT,MERGE}",
	"CACHE.{L1D,L2,L3,LL}.{RD.DATA.MISS.CYCLES,OPREF,REFILL,WB}",
	"CACHE.{L1D,L2,L3,LL}.SNOOP.{LOCAL.,REMOTE.,}{ACCESS,MISS,HIT,HITM}",
	"CACHE.L1I.{RD.CODE.MISS.CYCLES,REFILL}",
	"CACHE.L1I.RD.{CODE.,}{ACCESS,MISS,HIT,MERGE}",
	"CACHE.L1I.SNOOP.{LOCAL.,REMOTE.,}{ACCESS,MISS,HIT}",
	"{CYCLES.HART,CYCLES.REF,CTR.UPDATE.RET,TRACE.STALL.CYCLES,UOP.RET,UOP.SPEC}",
	"EXCEPTION.{PGFLT.DATA,PGFLT.CODE,MISALIGNED.LOAD,MISALIGNED.STORE}",
	"EXCEPTION.{ILLEGALACC,ILLEGALINST}",
	"FETCH.ASRC.{L1,LL}{,.MISS,.MERGE}",
	"FETCH.DSRC.{L1I,LL}{,.MISS,.MERGE}",
	"FETCH.DSRC.{LOCAL.MEM,REMOTE.MEM,REMOTE.CACHE,REMOTE.HITM}",
	"{FLUSH,RESTEER}.{SPEC,CYCLES}",
	"INST.{,FP.,INT.,MO.,RVC.,RVV.,RVV.CFG.,TRETURN.}RET",
	"INST.{BRJMP,MISPRED}.{,BRANCH.,BRANCH.TK.,BRANCH.NT.,CORSWAP.,RETURN.,TK.}RET",
	"INST.{BRJMP,MISPRED}.IND.{,CALL.,JUMP.,LJUMP.}RET",
	"INST.BRJMP.{PRED.,DIR.,DIR.CALL.,DIR.JUMP.,DIR.LJUMP.}RET",
	"INST.RVV.{LOAD,STORE,LDST}.{,UNIT.,IDXU.,STRD.,IDXO.}RET",
	"INST.RVV.ARITH.{,INT.,FP.}RET",
	"{,INST.}{LOAD,STORE,LDST}.{,UC.}RET",
	"{,INST.}{LOAD,STORE,LDST}.{DSRC.L1D,DSRC.LL,ASRC.L1,ASRC.LL}{,.MISS,.MERGE}.RET",
	"{,INST.}{LOAD,STORE,LDST}.DSRC.{LOCAL.MEM,REMOTE.MEM,REMOTE.CACHE,REMOTE.HITM}.RET",
	"{,INST.}{LOAD,LDST}.DSRC.STLF.RET",
	"RVV.ELEMENT.{,UNMASKED.}{,INT.,INT8.,INT16.,INT32.,INT64.,FP.,FP8.,FP16.,FP32.,FP64.}RET",
	"TLB.{L1D,LL}.{LOAD,STORE,LDST}.{ACCESS,MISS,HIT,MERGE}",
	"TLB.{L1I,LL}.CODE.{ACCESS,MISS,HIT,MERGE}",
	"TLB.{L1D.LDST,LL.LDST,L1I.CODE,LL.CODE}.MISS.CYCLES",
	"TOPDOWN.{,FRONTEND_BOUND.,BAD_SPECULATION.,BACKEND_BOUND.}SLOTS",
	"TOPDOWN.FRONTEND_BOUND.{BANDWIDTH.,LATENCY.,LATENCY.ADDR.,LATENCY.DATA.}SLOTS",
	"TOPDOWN.{FRONTEND_BOUND.LATENCY.REDIRECT,BAD_SPECULATION.MEM_ORDERING}.SLOTS",
	"TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS",
	"TOPDOWN.BACKEND_BOUND.{MEMORY.,CORE.,CORE.SERIALIZING.}SLOTS",
	"TOPDOWN.BACKEND_BOUND.MEMORY.{ADDR.,ADDR.TLB.L1_MISS.,ADDR.TLB.LL_MISS.}SLOTS",
	"TOPDOWN.BACKEND_BOUND.MEMORY.DATA.{,L1_MISS.,LL_MISS.}SLOTS",
};

/* Events of SBI with the same meaning; misses follow accesses. Other drafts have LOAD and STORE. */
static const struct {
	const char *name;
	uint32_t event;
} twins[] = { { "CYCLES.HART", 1 },
	      { "INST.RET", 2 },
	      { "CACHE.LL.{ACCESS,MISS}", 3 },
	      { "INST.BRJMP.RET", 5 },
	      { "INST.MISPRED.RET", 6 },
	      { "CYCLES.REF", 10 },
	      { "CACHE.L1D.{RD,LOAD}.{ACCESS,MISS}", 0x10000 },
	      { "CACHE.L1D.{WR,STORE}.{ACCESS,MISS}", 0x10002 },
	      { "CACHE.L1D.PREFETCH.{ACCESS,MISS}", 0x10004 },
	      { "CACHE.L1I.{RD,LOAD}.{ACCESS,MISS}", 0x10008 },
	      { "CACHE.LL.{RD,LOAD}.{ACCESS,MISS}", 0x10010 },
	      { "CACHE.LL.{WR,STORE}.{ACCESS,MISS}", 0x10012 },
	      { "CACHE.LL.{RD.PREF,PREFETCH}.{ACCESS,MISS}", 0x10014 },
	      { "TLB.L1D.LOAD.{ACCESS,MISS}", 0x10018 },
	      { "TLB.L1D.STORE.{ACCESS,MISS}", 0x1001a },
	      { "TLB.L1I.{CODE,LOAD}.{ACCESS,MISS}", 0x10020 } };

/* Compares the text with a pattern, ignoring case. */
static int is_of(const char *pattern, const char *text, size_t length)
{
	const char *end;

	for (; *pattern != '{'; pattern++, text++, length--) {
		if (!length || !*pattern)
			return !length && !*pattern;
		if (*pattern != toupper((unsigned char)*text))
			return 0;
	}
	end = strchr(pattern, '}');
	while (pattern < end) {
		size_t part = strcspn(++pattern, ",}"), i = 0;

		while (i < part && i < length && pattern[i] == toupper((unsigned char)text[i]))
			i++;
		if (i == part && is_of(end + 1, text + part, length - part))
			return 1;
		pattern += part;
	}
	return 0;
}

int is_standard(const char *name)
{
	size_t i = 0, length = strlen(name);

	while (i < LENGTH(names) && !is_of(names[i], name, length))
		i++;
	return i < LENGTH(names);
}

int parse_standard(const char *name, size_t length, uint32_t *event)
{
	size_t i = 0;

	while (i < LENGTH(twins) && !is_of(twins[i].name, name, length))
		i++;
	if (i == LENGTH(twins))
		return 0;
	*event = twins[i].event + (toupper((unsigned char)name[length - 3]) == 'I'); /* MISS */
	return 1;
}
