@NullMarked
package dev.tilewright.worker.peer;

import org.jspecify.annotations.NullMarked;
