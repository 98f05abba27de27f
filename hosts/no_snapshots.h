/* SPDX-License-Identifier: BSD-2-Clause */
/* Read by scripts/host-header.py, which puts these functions in place of pmumap's */

/* For hosts whose servers all have PMUMAP_SERVER_NO_SNAPSHOT. */

static inline int pmumap_server_set_shmem_(struct pmumap_server *s, const uint64_t *a)
{
	(void)s;
	(void)a;
	return PMUMAP_SBI_NOT_SUPPORTED;
}

/* Never called, because no memory is shared. */
static inline int pmumap_server_take_snapshot_(struct pmumap_server *s, uint64_t members,
					       uint32_t base)
{
	(void)s;
	(void)members;
	(void)base;
	return 0;
}
