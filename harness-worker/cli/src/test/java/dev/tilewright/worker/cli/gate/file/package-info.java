@NullMarked
package dev.tilewright.worker.cli.gate.file;

import org.jspecify.annotations.NullMarked;
