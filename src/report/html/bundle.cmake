# cmake -DSHELL=FILE -DSTYLE=LIST -DSCRIPT=LIST -DPREFIX=NAME -DOUTPUT=FILE -P bundle.cmake
#
# PREFIX is that of the names in C++: page, studio.
#
# Modules share one scope in the page, so their names must differ: a browser refuses the script
# otherwise, and the tests would show it.
cmake_minimum_required(VERSION 3.25)

function(put_together files result)
  set(all "\n")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REGEX REPLACE "(^|\n)import [^\n]*(\n  [^\n]*)*(\n})?[^\n]* from '[^'\n]*';" "" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND all "${text}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# The SHA-256 of a text in base64, as content policies want it.
function(policy_hash text result)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  string(APPEND hex "00")  # 33 bytes: eleven times three
  set(encoded "")
  foreach(group RANGE 0 10)
    math(EXPR at "${group} * 6")
    string(SUBSTRING "${hex}" ${at} 6 bytes)
    foreach(shift IN ITEMS 18 12 6 0)
      math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 letter)
      string(APPEND encoded "${letter}")
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" encoded "${encoded}")
  set(${result} "sha256-${encoded}" PARENT_SCOPE)
endfunction()

# Compilers need not take longer literals than 64 KB; so a text is several.
function(as_literals text result)
  set(literal "")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 15000 part)
    string(APPEND literal "R\"~page~(${part})~page~\",\n")
    math(EXPR at "${at} + 15000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()

put_together("${STYLE}" style)
put_together("${SCRIPT}" script)
policy_hash("${script}" hash)
file(READ "${SHELL}" shell)
string(REPLACE "@SCRIPT_HASH@" "${hash}" shell "${shell}")

as_literals("${shell}" shell)
as_literals("${style}" style)
as_literals("${script}" script)
file(WRITE "${OUTPUT}" "// Made by bundle.cmake.
#include \"report/html/page_parts.hpp\"

namespace mazurka::report {

namespace {

constexpr std::string_view shell[] = {
${shell}};
constexpr std::string_view style[] = {
${style}};
constexpr std::string_view script[] = {
${script}};

}  // namespace

const Pieces ${PREFIX}_shell = shell;
const Pieces ${PREFIX}_style = style;
const Pieces ${PREFIX}_script = script;

}  // namespace mazurka::report
")
