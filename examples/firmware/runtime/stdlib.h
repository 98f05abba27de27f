/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libfdt includes this file but needs only strtoul(), for overlays, which are left out.
 */
