@NullMarked
package dev.tilewright.worker.verify;

import org.jspecify.annotations.NullMarked;
