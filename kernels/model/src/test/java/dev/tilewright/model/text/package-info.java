@NullMarked
package dev.tilewright.model.text;

import org.jspecify.annotations.NullMarked;
