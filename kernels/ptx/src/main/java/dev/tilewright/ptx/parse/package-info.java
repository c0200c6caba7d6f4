/**
 * Reads PTX text back into the records that the builders make.
 *
 * <p>In: the text of a module, by our writer, a compiler or a person. Out: a {@link dev.tilewright.ptx.PtxModule} and
 * the position of each statement, or every {@link dev.tilewright.ptx.parse.ParseError} of the text at once. One class
 * per family of instructions, named as the records are; names in nested blocks are made unique, so that a body is flat.
 * Must not know: GEMM, CUDA, files, what an instruction does.
 */
@NullMarked
package dev.tilewright.ptx.parse;

import org.jspecify.annotations.NullMarked;
