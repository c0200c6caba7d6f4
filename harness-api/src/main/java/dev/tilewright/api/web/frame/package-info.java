/**
 * What all pages have: layout, assets, headers, login, pages for what went wrong. Comes in: a caller and a problem.
 * Goes out: the model that every template reads. Must not know what is on a page.
 */
@NullMarked
package dev.tilewright.api.web.frame;

import org.jspecify.annotations.NullMarked;
