/**
 * The frame of all pages: layout, assets, headers, login, error pages. Comes in: a caller and a problem. Goes out: the
 * model that every template reads. Must not know what is on a page.
 */
@NullMarked
package dev.tilewright.api.web.frame;

import org.jspecify.annotations.NullMarked;
