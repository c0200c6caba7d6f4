package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.access.TokenCookie;
import dev.tilewright.api.platform.access.Tokens;
import dev.tilewright.api.platform.http.PagePaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The door: a token comes in by a form and stays in a cookie of the browser. */
@Controller
record LoginController(Tokens tokens) {

    @GetMapping("/login")
    String form(Model model) {
        return door(model, "/", "");
    }

    @PostMapping("/login")
    String login(
            @RequestParam String token,
            @RequestParam(defaultValue = "/") String next,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        String stripped = token.strip();
        Optional<Caller> caller = tokens.caller(stripped);
        if (caller.isEmpty() || caller.get().role() == Role.WORKER) {
            response.setStatus(HttpStatus.FORBIDDEN.value());
            return door(
                    model,
                    next,
                    caller.isEmpty()
                            ? "This token is not known here, or was revoked."
                            : "This token is for workers, which do nothing that users do.");
        }
        response.addHeader(
                HttpHeaders.SET_COOKIE, TokenCookie.keep(stripped, request).toString());
        return "redirect:" + (isOwnPage(next) ? next : "/");
    }

    /** No other site: neither by a scheme nor by a host. */
    private static boolean isOwnPage(String path) {
        return path.matches("/([A-Za-z0-9][A-Za-z0-9/._-]*)?") && PagePaths.include(path);
    }

    private static String door(Model model, String next, String fault) {
        model.addAttribute("next", next);
        model.addAttribute("fault", fault);
        return "login";
    }

    @PostMapping("/logout")
    String logout(HttpServletRequest request, HttpServletResponse response) {
        response.addHeader(HttpHeaders.SET_COOKIE, TokenCookie.forget(request).toString());
        return "redirect:/login";
    }
}
