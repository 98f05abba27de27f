/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc.h -- IBM's in-memory counters in a map, for several verbs: types, units, events in JSON.
 */
#ifndef IMC_H
#define IMC_H

#include "map.h"

/* Beyond these the tool says no more: a tree may describe more than anybody can read. */
#define CHIPS_LIMIT 64u   /* of a unit, and in the table of chips */
#define MATCH_LIMIT 1024u /* of one query */

/* The types of units that pmumap_imc.h knows; nest is the first one. */
enum { IMC_TYPES = 4 };
struct imc_type {
	uint32_t type;
	const char *name;
};
extern const struct imc_type imc_types[IMC_TYPES];

/* "nest", or "?". */
const char *imc_type(uint32_t type);

/* map may be NULL. */
int has_imc(const struct pmumap_imc *map);

/* Whether a spelling, as of the option --unit, means this unit. NULL means all. */
int is_meant(const struct pmumap_imc *map, uint32_t index, const struct pmumap_imc_unit *unit,
	     const char *spelling);

/* Whether it means any unit of the map, which may be NULL. */
int means_any(const struct pmumap_imc *map, const char *spelling);

/* Members of a JSON object: a scale as text and as a number, if it is one; all of an event. */
void json_scale(const char *scale);
void event_json(const struct pmumap_imc_event *event);

#endif /* IMC_H */
