/**
 * Results on disk: JSON documents, lines of JSON and tables as columns, a tenth of their size.
 *
 * <p>Comes in: documents and tables. Goes out: files, and the same documents and tables again. Must not know: what a
 * document says, PTX, CUDA, SQL, HTTP.
 */
@NullMarked
package dev.tilewright.results;

import org.jspecify.annotations.NullMarked;
