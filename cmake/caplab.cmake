# Helpers every folder's CMakeLists.txt uses: one way to make a library, one way to make a test.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON) # GNU attributes, __int128
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(PkgConfig REQUIRED)

add_library(caplab_flags INTERFACE)
target_include_directories(caplab_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_definitions(caplab_flags INTERFACE _GNU_SOURCE)
# -ffp-contract=off: guest floating point uses the host's FPU and must round after every operation.
target_compile_options(caplab_flags INTERFACE
  -ffp-contract=off -fno-strict-aliasing
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla
  -Wformat=2 -Wdouble-promotion -Wimplicit-fallthrough)
if(CAPLAB_WERROR)
  target_compile_options(caplab_flags INTERFACE -Werror)
endif()
if(CAPLAB_SANITIZE)
  target_compile_options(caplab_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(caplab_flags INTERFACE -fsanitize=address,undefined)
  add_library(caplab_sanitize OBJECT ${CMAKE_SOURCE_DIR}/base/sanitize.c)
  target_link_libraries(caplab_flags INTERFACE $<TARGET_OBJECTS:caplab_sanitize>)
endif()
if(CAPLAB_FUZZ)
  target_compile_options(caplab_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# caplab_library(NAME SOURCES... [DEPS lib...]): static library caplab_NAME; DEPS are folders below it in layers.txt.
function(caplab_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_library(caplab_${name} STATIC ${A_SOURCES})
  target_link_libraries(caplab_${name} PUBLIC caplab_flags)
  # Not for tests/: Criterion's macros convert freely.
  target_compile_options(caplab_${name} PRIVATE -Wwrite-strings -Wcast-align -Wconversion -Wno-sign-conversion)
  foreach(dep ${A_DEPS})
    target_link_libraries(caplab_${name} PUBLIC caplab_${dep})
  endforeach()
endfunction()

# caplab_test(NAME SOURCES... [DEPS lib...] [LABELS fast|full|nightly]): a Criterion program and its ctest entry.
# Tests find their data at CAPLAB_TEST_DATA (tests/data) and the program at CAPLAB_EXE.
function(caplab_test name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(test_${name} ${A_SOURCES})
  pkg_check_modules(CRITERION REQUIRED IMPORTED_TARGET criterion)
  target_link_libraries(test_${name} PRIVATE caplab_flags PkgConfig::CRITERION)
  foreach(dep ${A_DEPS})
    target_link_libraries(test_${name} PRIVATE caplab_${dep})
  endforeach()
  target_compile_options(test_${name} PRIVATE -Wno-unknown-warning-option -Wno-discarded-qualifiers
    -Wno-incompatible-pointer-types-discards-qualifiers)
  target_compile_definitions(test_${name} PRIVATE CAPLAB_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    CAPLAB_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CAPLAB_EXE="${CMAKE_BINARY_DIR}/caplab")
  if(NOT A_LABELS)
    set(A_LABELS fast)
  endif()
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 600
    FAIL_REGULAR_EXPRESSION "ERROR: LeakSanitizer") # it speaks when a test has ended: Criterion does not notice
endfunction()

# caplab_fuzz(NAME SOURCES... [DEPS lib...]): libFuzzer target fuzz_NAME (only in the fuzz preset).
function(caplab_fuzz name)
  if(NOT CAPLAB_FUZZ)
    return()
  endif()
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(fuzz_${name} ${A_SOURCES})
  target_link_libraries(fuzz_${name} PRIVATE caplab_flags)
  foreach(dep ${A_DEPS})
    target_link_libraries(fuzz_${name} PRIVATE caplab_${dep})
  endforeach()
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()
