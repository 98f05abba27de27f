/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include "picture.h"

#define ELEMENT_BYTES 80u

/*
 * Eight colours of similar weight on white, and lighter ones on black, where even the pale variants
 * have a contrast of 3 to 1. Red is reserved for clashes. CSS variables and color-scheme are
 * avoided, because viewers other than browsers do not support them.
 */
static const char picture_style[] =
	"text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328}\n"
	".nh{font:600 20px system-ui,'DejaVu Sans',sans-serif}\n"
	".nt{font:600 15px system-ui,'DejaVu Sans',sans-serif}\n"
	".n,.n text{font:13px system-ui,'DejaVu Sans',sans-serif}\n"
	".s{fill:#59636e}.e{text-anchor:end}.m{text-anchor:middle}\n"
	".bg{fill:#fff}.off{fill:#eaeef2}.rule{stroke:#d1d9e0;stroke-width:1}\n"
	".row{fill:#818b98;fill-opacity:.1}.fixed{fill:none;stroke:#59636e;stroke-width:1.5}\n"
	".fill{fill:#6e7781}.clash{fill:#d1242f}.red{fill:#c01c28}.pale{fill-opacity:.5}"
	"\n.part{fill-opacity:.18;stroke-width:1.5}\n"
	".k0{fill:#3b78d8}.k1{fill:#d9822b}.k2{fill:#2e9e6b}.k3{fill:#9461c9}\n"
	".k4{fill:#1b9fb3}.k5{fill:#d4ac0d}.k6{fill:#8b8f28}.k7{fill:#a0694a}\n"
	".part.k0{stroke:#3b78d8}.part.k1{stroke:#d9822b}.part.k2{stroke:#2e9e6b}\n"
	".part.k3{stroke:#9461c9}.part.k4{stroke:#1b9fb3}.part.k5{stroke:#d4ac0d}\n"
	".part.k6{stroke:#8b8f28}.part.k7{stroke:#a0694a}\n"
	".alias{stroke:#1f2328;stroke-width:.8}\n"
	"g:hover .label{font-weight:700}\n"
	"@media (prefers-color-scheme:dark){\n"
	"text{fill:#e6edf3}.s{fill:#9198a1}.bg{fill:#0d1117}.off{fill:#212830}\n"
	".rule{stroke:#3d444d}.fixed{stroke:#9198a1}\n"
	".pale{fill-opacity:.65}.part{fill-opacity:.3}.fill{fill:#9198a1}\n"
	".k0{fill:#6ea8ff}.k1{fill:#f0a65a}.k2{fill:#4cc38a}.k3{fill:#b98be8}\n"
	".k4{fill:#3fc4d9}.k5{fill:#f2cf4a}.k6{fill:#bcc24a}.k7{fill:#d19a7a}\n"
	".part.k0{stroke:#6ea8ff}.part.k1{stroke:#f0a65a}.part.k2{stroke:#4cc38a}\n"
	".part.k3{stroke:#b98be8}.part.k4{stroke:#3fc4d9}.part.k5{stroke:#f2cf4a}\n"
	".part.k6{stroke:#bcc24a}.part.k7{stroke:#d19a7a}\n"
	".alias{stroke:#e6edf3}\n"
	".clash{fill:#f85149}.red{fill:#ff7b72}}\n";

void put_xml(FILE *out, const char *text, size_t letters)
{
	char *plain = escaped(text, "");
	size_t length = strlen(plain);

	for (size_t i = 0; i < length; i++) {
		if (i == letters - 1 && length > letters) {
			fputs("\xe2\x80\xa6", out); /* an ellipsis */
			break;
		}
		switch (plain[i]) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			putc(plain[i], out);
		}
	}
	free(plain);
}

void reach(struct canvas *c, double right)
{
	c->right = right > c->right ? right : c->right;
}

void put_text(struct canvas *c, double x, double y, const char *kind, char anchor, const char *text)
{
	count_output(ELEMENT_BYTES);
	fprintf(c->out, "<text class=\"%s", kind);
	if (anchor)
		fprintf(c->out, "%s%c", *kind ? " " : "", anchor);
	fprintf(c->out, "\" x=\"%.1f\" y=\"%.1f\">", x, y);
	put_xml(c->out, text, NAME_LETTERS + 120 * (*kind == 'n'));
	fputs("</text>\n", c->out);
}

void put_label(struct canvas *c, double x, double y, const char *kind, const char *text)
{
	size_t letters = strnlen(text, NAME_LETTERS + 120 * (*kind == 'n'));

	put_text(c, x, y, kind, 0, text);
	reach(c, x + LETTER * (double)letters);
}

void put_note(struct canvas *c, const char *text)
{
	while (*text) {
		size_t length = strlen(text);
		char line[200];

		if (c->narrow && length > NARROW_LETTERS) {
			length = NARROW_LETTERS;
			while (length > 1 && text[length] != ' ')
				length--;
		}
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		c->y += LINE;
		put_label(c, LEFT, c->y + 4, "n s", line);
		text += length + (text[length] == ' ');
	}
}

void put_title(struct canvas *c, const char *text)
{
	c->y += 40;
	put_text(c, LEFT, c->y, "nt", 0, text);
	reach(c, LEFT + 1.25 * LETTER * (double)strlen(text)); /* its letters are larger */
	c->y += 8;
}

void put_box(struct canvas *c, double x, double y, double width, double height, const char *kind)
{
	count_output(ELEMENT_BYTES);
	fprintf(c->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
		kind, x, y, width, height);
	reach(c, x + width);
}

void end_box(struct canvas *c)
{
	fputs("/>\n", c->out);
}

void put_key(struct canvas *c, double x, const char *kind, const char *text_kind, const char *text)
{
	put_box(c, x, c->y + 2, CELL, CELL, kind);
	end_box(c);
	put_label(c, x + CELL + 8, c->y + 14, text_kind, text);
}

void tip(struct canvas *c, const char *format, ...)
{
	va_list list;

	fputs("<title>", c->out);
	va_start(list, format);
	vfprintf(c->out, format, list);
	va_end(list);
	fputs("</title>\n", c->out);
}

double cell_size(const struct canvas *c)
{
	return c->narrow ? NARROW_CELL : CELL;
}

double cell_x(const struct canvas *c, double left, unsigned column)
{
	double eighth = cell_size(c) / 8;

	return left + column * 9 * eighth + column / 8 * 3 * eighth;
}

struct text colour(uint32_t number)
{
	return brief("k%" PRIu32 "%s", number % 8, number / 8 % 2 ? " pale" : "");
}

void put_svg(FILE *out, const struct canvas *c, const char *name, const char *body, size_t bytes)
{
	double width = c->right + (c->narrow ? LEFT / 2 : LEFT);

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\">\n<title>PMU of ",
		width, c->y, width, c->y);
	put_xml(out, name, SIZE_MAX);
	fprintf(out,
		"</title>\n<style>\n%s</style>\n"
		"<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n",
		picture_style);
	fwrite(body, 1, bytes, out);
	fputs("</svg>\n", out);
}
