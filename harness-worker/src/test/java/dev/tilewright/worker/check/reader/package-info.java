@NullMarked
package dev.tilewright.worker.check.reader;

import org.jspecify.annotations.NullMarked;
