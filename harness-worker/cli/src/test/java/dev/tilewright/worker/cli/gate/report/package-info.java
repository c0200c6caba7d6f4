@NullMarked
package dev.tilewright.worker.cli.gate.report;

import org.jspecify.annotations.NullMarked;
