# Sets page_parts: the page as one C++ source. Style sheets stand one after the other, and so do modules,
# without their imports and exports. No other tool than CMake is needed.
set(page_folder "${CMAKE_CURRENT_LIST_DIR}")
set(page_style colours base head timeline chips side scrubber graph network tree flame compare summary
               narrow print)
set(page_script dom icons document order folds histories finding store rows lanes chips row_nodes
                arrows copy timeline source watch stack side scrubber header summary toolbar keys
                graph network tree_shape tree_parts flame tree compare main)
list(TRANSFORM page_style PREPEND "${page_folder}/")
list(TRANSFORM page_style APPEND ".css")
list(TRANSFORM page_script PREPEND "${page_folder}/")
list(TRANSFORM page_script APPEND ".js")

set(page_parts "${CMAKE_CURRENT_BINARY_DIR}/page_parts.cpp")
add_custom_command(
  OUTPUT "${page_parts}"
  COMMAND "${CMAKE_COMMAND}"
    "-DSHELL=${page_folder}/shell.html" "-DSTYLE=${page_style}" "-DSCRIPT=${page_script}"
    -DPREFIX=page "-DOUTPUT=${page_parts}" -P "${page_folder}/bundle.cmake"
  DEPENDS "${page_folder}/shell.html" "${page_folder}/bundle.cmake" ${page_style} ${page_script}
  VERBATIM
  COMMENT "Bundling the HTML report")
