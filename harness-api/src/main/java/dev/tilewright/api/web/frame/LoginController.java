package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.LoginBrake;
import dev.tilewright.api.platform.access.LoginLink;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.access.Sessions;
import dev.tilewright.api.platform.access.Tokens;
import dev.tilewright.api.platform.http.PagePaths;
import dev.tilewright.api.platform.http.connection.Network;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The login: a token in a form, or a link that is good once, opens a session. */
@Controller
record LoginController(Tokens tokens, Sessions sessions, LoginLink link, LoginBrake brake) {

    @GetMapping("/login")
    String form(
            @RequestParam(name = "link", required = false) @Nullable String secret,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        if (secret == null) {
            return door(model, "/", "");
        }
        Optional<Caller> caller = link.use(secret);
        if (caller.isEmpty()) {
            response.setStatus(HttpStatus.FORBIDDEN.value());
            return door(
                    model,
                    "/",
                    "This link was used, or is older than " + LoginLink.LIFE.toMinutes()
                            + " minutes: log in with the token.");
        }
        sessions.open(caller.get(), request, response);
        return "redirect:/";
    }

    @PostMapping("/login")
    String login(
            @RequestParam String token,
            @RequestParam(defaultValue = "/") String next,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        Network network = Network.of(request.getRemoteAddr());
        Optional<Duration> wait = brake.take(network);
        if (wait.isPresent()) {
            long seconds = wait.get().plusNanos(999_999_999).toSeconds();
            response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
            return door(model, next, "Too many wrong tokens were sent: try again in " + seconds + " s.");
        }
        Optional<Caller> caller = tokens.caller(token.strip());
        if (caller.isPresent()) {
            brake.giveBack(network);
        }
        if (caller.isEmpty() || caller.get().role() == Role.WORKER) {
            response.setStatus(HttpStatus.FORBIDDEN.value());
            return door(
                    model,
                    next,
                    caller.isEmpty()
                            ? "This token is not known here, or was revoked."
                            : "This token is for workers, which do nothing that users do.");
        }
        sessions.open(caller.get(), request, response);
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
        sessions.end(request, response);
        return "redirect:/login";
    }
}
