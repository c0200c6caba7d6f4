@NullMarked
package dev.tilewright.worker.stats;

import org.jspecify.annotations.NullMarked;
