/**
 * The words of Tilewright as plain records, shared by every module.
 *
 * <p>Comes in: nothing. Goes out: problems, search spaces, trials and the records that cross REST. Must not know: PTX,
 * CUDA, SQL, HTTP. The only dependency is Jackson's annotations, which name how a record is written as JSON and bring
 * no behaviour with them.
 */
@NullMarked
package dev.tilewright.model;

import org.jspecify.annotations.NullMarked;
