0%: define A <: :> <% %>
A
