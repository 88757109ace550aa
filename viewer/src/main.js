document.getElementById("page").textContent = document.getElementById("report").textContent.length;
