# cmake -DFOLDER=FOLDER -DEXAMPLES=LIST -DOUTPUT=FILE -P examples.cmake
#
# The examples as one C++ source.
cmake_minimum_required(VERSION 3.25)

set(rows "")
foreach(example IN LISTS EXAMPLES)
  file(READ "${FOLDER}/${example}" text)
  string(APPEND rows "    {\"${example}\", R\"~example~(${text})~example~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by examples.cmake.
#include \"studio/folder.hpp\"

namespace mazurka::studio {

std::span<const Example> examples() {
  static constexpr Example rows[] = {
${rows}  };
  return rows;
}

}  // namespace mazurka::studio
")
