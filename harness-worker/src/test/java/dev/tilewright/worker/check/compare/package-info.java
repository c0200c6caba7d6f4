@NullMarked
package dev.tilewright.worker.check.compare;

import org.jspecify.annotations.NullMarked;
