/** Pages, as a client of HTTP sees them and as a real browser does. */
@NullMarked
package dev.tilewright.api.web;

import org.jspecify.annotations.NullMarked;
