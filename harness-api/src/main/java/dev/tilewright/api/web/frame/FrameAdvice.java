package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.access.FormToken;
import dev.tilewright.api.platform.access.Tokens;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Gives every page its frame. */
@ControllerAdvice(basePackages = "dev.tilewright.api.web")
record FrameAdvice(Tokens tokens, FormToken forms) {

    @ModelAttribute("frame")
    PageFrame frame(HttpServletRequest request, HttpServletResponse response) {
        return PageFrame.of(request, response, tokens, forms);
    }
}
