/** The container files at the root of the repository, read as data: no Docker engine is needed, and none is started. */
@NullMarked
package dev.tilewright.api.deployment;

import org.jspecify.annotations.NullMarked;
