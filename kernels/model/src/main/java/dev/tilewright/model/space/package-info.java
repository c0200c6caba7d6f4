/** What may be tried: parameters, constraints with a reason, and the configs that are points of the space. */
@NullMarked
package dev.tilewright.model.space;

import org.jspecify.annotations.NullMarked;
