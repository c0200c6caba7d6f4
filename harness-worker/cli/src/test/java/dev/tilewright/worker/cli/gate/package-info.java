@NullMarked
package dev.tilewright.worker.cli.gate;

import org.jspecify.annotations.NullMarked;
