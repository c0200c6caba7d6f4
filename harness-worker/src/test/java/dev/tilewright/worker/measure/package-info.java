@NullMarked
package dev.tilewright.worker.measure;

import org.jspecify.annotations.NullMarked;
