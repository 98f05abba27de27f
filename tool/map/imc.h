/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imc.h -- IBM's in-memory counters in a map, for several verbs: types, units, events in JSON.
 */
#ifndef IMC_H
#define IMC_H

#include "map.h"

/* The tool prints no more than this. A tree may describe more than anyone can read. */
#define CHIPS_LIMIT 64u   /* per unit, and in the table of chips */
#define MATCH_LIMIT 1024u /* per query */

/* The unit types that pmumap_imc.h knows. The first is nest. */
enum { IMC_TYPES = 4 };
struct imc_type {
	uint32_t type;
	const char *name;
};
extern const struct imc_type imc_types[IMC_TYPES];

/* For example "nest"; "?" for an unknown type. */
const char *imc_type(uint32_t type);

/* map may be NULL. */
int has_imc(const struct pmumap_imc *map);

/* Members of a JSON object: the name of a unit's node, and Linux's name of it. */
void json_unit(const struct pmumap_imc *map, uint32_t index, const char *node);

/* True if a spelling of --unit means this unit. NULL means every unit. */
int is_meant(const struct pmumap_imc *map, uint32_t index, const struct pmumap_imc_unit *unit,
	     const char *spelling);

/* True if the spelling means some unit of the map. map may be NULL. */
int means_any(const struct pmumap_imc *map, const char *spelling);

/* The description of an event, by its place in a unit. Returns 0 if there is none. */
int event_of(const struct pmumap_imc *map, uint32_t unit, uint32_t index,
	     struct pmumap_imc_event *event);

/* Members of a JSON object: a scale as text, and as a number if it is one; and a whole event. */
void json_scale(const char *scale);
void event_json(const struct pmumap_imc_event *event);

#endif /* IMC_H */
