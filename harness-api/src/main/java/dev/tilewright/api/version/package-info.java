/**
 * The version of this service. Comes in: nothing. Goes out: build, protocol of workers, schema. Must not know any other
 * feature.
 */
@NullMarked
package dev.tilewright.api.version;

import org.jspecify.annotations.NullMarked;
