/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libfdt includes it, and needs nothing of it (but strtoul() for overlays, which are left out).
 */
