# SPDX-License-Identifier: BSD-2-Clause
#
# Of what "pmumap show --events --json" says: the files that Linux makes of each event in
# /sys/bus/event_source/devices, with their text.

# The text of that name in this line's object
function field(name, begin)
{
	begin = index($0, "\"" name "\":\"")
	if (!begin)
		return ""
	begin += length(name) + 4
	return substr($0, begin, index(substr($0, begin), "\"") - 1)
}

# Its events follow.
/"kind":"imc-unit"/ {
	pmu = field("pmu")
}

/"kind":"imc-event"/ {
	file = pmu "/events/" field("name")
	print file " event=" field("offset")
	if (field("scale") != "")
		print file ".scale " field("scale")
	if (field("measure") != "")
		print file ".unit " field("measure")
}
