@NullMarked
package dev.tilewright.worker.check.element;

import org.jspecify.annotations.NullMarked;
