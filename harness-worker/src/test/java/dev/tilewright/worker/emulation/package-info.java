@NullMarked
package dev.tilewright.worker.emulation;

import org.jspecify.annotations.NullMarked;
