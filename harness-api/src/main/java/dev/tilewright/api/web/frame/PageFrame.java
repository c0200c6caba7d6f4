package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.Build;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.FormToken;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.access.Tokens;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The frame of every page.
 *
 * @param path of the page, which the menu marks
 * @param user name of the token that was shown; {@code null} if none was, or none is asked for
 * @param tokens whether users show one
 * @param submits whether the user may submit and cancel
 */
public record PageFrame(
        String path, @Nullable String user, boolean tokens, boolean submits, String formToken, String build) {

    static PageFrame of(HttpServletRequest request, HttpServletResponse response, Tokens tokens, FormToken forms) {
        Caller caller = request.getUserPrincipal() instanceof Caller known ? known : null;
        boolean shown = caller != null && tokens.usersNeedOne();
        return new PageFrame(
                request.getServletPath(),
                shown ? caller.name() + ", " + caller.role() : null,
                tokens.usersNeedOne(),
                caller != null && (caller.role() == Role.SUBMITTER || caller.role() == Role.OPERATOR),
                forms.forPage(request, response),
                Build.commit());
    }

    /** Whether a path of the menu leads to where this page is. */
    public boolean isAt(String menu) {
        return path.equals(menu) || !menu.equals("/") && path.startsWith(menu + "/");
    }
}
