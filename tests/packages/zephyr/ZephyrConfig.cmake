# SPDX-License-Identifier: BSD-2-Clause
#
# Stands for Zephyr's build, of which an application needs this: a target, the tree that
# was compiled, CONFIG_... from prj.conf, and the folders of modules with the function they call.
project(Zephyr LANGUAGES C)
add_executable(app)
configure_file(${TREE} ${CMAKE_BINARY_DIR}/zephyr/zephyr.dts COPYONLY)
file(STRINGS ${CMAKE_SOURCE_DIR}/prj.conf options REGEX "^CONFIG_")
foreach(option ${options})
	string(REGEX MATCH "^([^=]*)=(.*)$" option ${option})
	set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
function(zephyr_include_directories)
	target_include_directories(app PRIVATE ${ARGV})
endfunction()
foreach(module ${ZEPHYR_EXTRA_MODULES})
	add_subdirectory(${module}/${MODULE_CMAKE} ${CMAKE_BINARY_DIR}/modules)
endforeach()
