/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write.h -- the verbs rom and picture, which write a file or to stdout.
 */
#ifndef WRITE_H
#define WRITE_H

#include "amu.h"
#include "picture.h"
#include "request.h"
#include "rom.h"

/* Which options of rom belong together. */
static int judge_rom(unsigned options)
{
	if (options & AMU_ENABLES && options & (BINARY | BIG | LITTLE | NAME | OUTPUT))
		return complain(USAGE, NULL, "--amu-enables is C source of its own, on stdout");
	if (options & ORDER && !(options & AMU_ENABLES))
		return complain(USAGE, NULL, "--order needs --amu-enables");
	if (options & (BIG | LITTLE) && !(options & BINARY))
		return complain(USAGE, NULL,
				"--big and --little need --binary; C source suits any byte order");
	if (options & BIG && options & LITTLE)
		return complain(USAGE, NULL, "--big or --little, not both");
	if (options & BINARY && options & NAME)
		return complain(USAGE, NULL, "--binary has no name");
	return GOOD;
}

static int rom_verb(const struct request *request)
{
	struct rom_form form = { .name = VALUE(request, NAME),
				 .output = VALUE(request, OUTPUT),
				 .binary = (request->options & BINARY) != 0,
				 .big = (request->options & BIG) != 0 };
	struct source source = { 0 };
	int code = judge_rom(request->options);

	if (code == GOOD && request->count > 1)
		code = complain(USAGE, NULL, "rom takes one FILE, not %d", request->count);
	if (code == GOOD)
		code = load(&source, request->count ? request->args[0] : NULL, &request->input,
			    NULL, NULL);
	if (code == GOOD && request->options & AMU_ENABLES)
		code = put_amu_enables(source.name, source.map, VALUE(request, ORDER));
	else if (code == GOOD)
		code = put_rom(&source, &request->input, &form);
	unload(&source);
	return code;
}

static int picture_verb(const struct request *request)
{
	struct picture_form form = { .output = VALUE(request, OUTPUT),
				     .unit = VALUE(request, UNIT) };
	struct source source = { 0 };
	int code;

	if (request->count > 1)
		return complain(USAGE, NULL, "picture takes one FILE, not %d", request->count);
	code = load(&source, request->count ? request->args[0] : NULL, &request->input, NULL, NULL);
	if (code == GOOD)
		code = put_picture(&source, &form);
	unload(&source);
	return code;
}

#endif /* WRITE_H */
