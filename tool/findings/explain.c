/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explain.c -- looks up the texts of a finding in findings_*.c.
 */
#include "findings.h"
#include "source/rows.h"
#include "text/output.h"

const char *code_text(uint32_t code)
{
	switch ((int)code) {
#define TEXT(name, number, text)                                                                   \
	case number:                                                                               \
		return text;
		PMUMAP_FINDING_LIST(TEXT)
		PMUMAP_IMC_FINDING_LIST(TEXT)
		PMUMAP_AMU_FINDING_LIST(TEXT)
		TOOL_FINDING_LIST(TEXT)
#undef TEXT
	default:
		return "unknown-finding";
	}
}

const struct explanation *explanation_at(size_t i)
{
	static const struct {
		const struct explanation *first;
		size_t count;
	} tables[] = { { riscv_explanations, RISCV_FINDINGS },
		       { imc_explanations, IMC_FINDINGS },
		       { amu_explanations, AMU_FINDINGS },
		       { tool_explanations, TOOL_FINDINGS } };
	size_t k = 0;

	while (i >= tables[k].count)
		i -= tables[k++].count;
	return &tables[k].first[i];
}

const struct explanation *explain(uint32_t code)
{
	size_t i = 0;

	while (i < EXPLANATIONS - 1 && explanation_at(i)->code != code)
		i++;
	return explanation_at(i);
}

const char *fix_of(const struct pmumap_finding *f)
{
	if (f->code == PMUMAP_F_TRAILING_BYTES && f->value % 4)
		return "Write <...> for cells; [...] is bytes.";
	if ((int)f->code == ROW_CELLS && !strcmp(f->property, RANGES))
		return "A row is <first last counters>. Bit N of counters is counter N.";
	return explain(f->code)->fix;
}

void put_explanation(const struct explanation *x, const char *fix)
{
	printf("    problem  %s\n    effect   %s\n    fix      %s\n", x->problem, x->effect, fix);
}

uint32_t code_of(const char *text, size_t length)
{
	for (size_t i = 0; i < EXPLANATIONS; i++) {
		const char *code = code_text(explanation_at(i)->code);

		if (strlen(code) == length && !memcmp(code, text, length))
			return explanation_at(i)->code;
	}
	return 0;
}
